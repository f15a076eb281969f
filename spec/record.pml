/*
 * One record of a pool: two workers, one sweeper, the provider, the clock.
 *
 * Identity: a claim by its worker, who has one token at a time; a worker who crashed lives again without its token.
 * Clock: the store's, in ticks. The model keeps ages instead of instants, each up to the largest that anything asks for: so
 * the clock runs for ever in finitely many states, and what never happens is found as a cycle.
 * Crash: between any two steps. Pause: nothing happens for any number of ticks. Lost answers: of the store (a begin or a
 * verdict is repeated) and of the provider (the caller never hears).
 *
 *   record/settings.pml   the instances, and every guard that can be taken away (NO_…, and the rules refused: WITH_…)
 *   record/store.pml      what the store does in one transaction each
 *   record/worker.pml     claim, begin, send, verdict
 *   record/provider.pml   calls, acceptance, what a look-up shows; the clock
 *   record/sweep.pml      ask, decide, apply
 */
#include "record/settings.pml"
#include "record/store.pml"
#include "record/provider.pml"
#include "record/worker.pml"
#include "record/sweep.pml"

init {
  atomic {
    run Worker(1); run Provider(); run Clock();
#ifndef ONE_WORKER
    run Worker(2);
#endif
#ifdef SWEEPER
    run Sweeper(0);
#endif
#ifdef TWO_SWEEPERS
    run Sweeper(1)
#endif
  }
}

#ifdef LIVENESS
#define settled (state == DONE || state == FAILED || state == REVIEW)
ltl accounted_for { <> [] settled }
#endif
