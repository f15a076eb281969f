/*
 * The lock: two workers that take turns, one clock, and somebody who proves that a holder has ended.
 *
 * Identity: an acquisition is its fence; the token that a worker presents is the fence that it was given.
 * Clock: the store's. `lease` is what remains of the row's lease, `told[w]` what remains of the lease that w was given.
 * Crash: a worker that crashes forgets its token; its next life asks anew. A pause is that nothing happens: a worker may take
 * any number of ticks between two steps.
 *
 * Each NO_… takes one guard away; spec/guards.ts says what has to go wrong then.
 */
#ifndef LEASE
#define LEASE 2
#endif
#define FENCES 4 /* acquisitions in one behaviour, where fences are compared */

mtype = { one_live_holder, ended_stays_ended, fenced_writes };

inline violates(wrong, property) {
  if
  :: wrong -> printf("@ 0 violates %e\n", property); assert(false)
  :: else
  fi
}

byte owner = 0;   /* whose token the row carries; 0: free */
byte lease = 0;
byte fence = 0;
byte written = 0; /* the highest fence that the guarded resource has seen */
byte token[4];    /* the fence that a worker presents; 0: it has none */
byte told[4];
bool dead[4];     /* the life that got the row's lease has ended */
bool proven = false;  /* somebody saw that the holder of `provenFence` has ended */
byte provenFence = 0;

#define orphaned (owner != 0 && dead[owner])

#ifdef LIVENESS
#define MAY_GROW true
#define GROWN(f) (f % FENCES + 1)
#else
#define MAY_GROW (fence < FENCES)
#define GROWN(f) (f + 1)
#endif

#ifdef NO_EXPIRY
#define FREE (owner == 0)
#else
#define FREE (owner == 0 || lease == 0)
#endif

#ifdef NO_TOKEN_ON_RELEASE
#define MAY_RELEASE(w) (owner != 0)
#else
#define MAY_RELEASE(w) (owner == w && token[w] == fence)
#endif

#ifdef NO_TOKEN_ON_RENEWAL
#define MAY_RENEW(w) (owner != 0 && lease > 0)
#else
#ifdef NO_EXPIRY_ON_RENEWAL
#define MAY_RENEW(w) (owner == w && token[w] == fence)
#else
#define MAY_RENEW(w) (owner == w && token[w] == fence && lease > 0)
#endif
#endif

#ifdef NO_FENCE
#define MAY_WRITE(w) true
#else
#define MAY_WRITE(w) (token[w] >= written)
#endif

#ifdef NO_COMPARE_OF_EVIDENCE
#define EVIDENCE_HOLDS (owner != 0)
#else
#define EVIDENCE_HOLDS (owner != 0 && fence == provenFence)
#endif

proctype Worker(byte w) {
  do
  :: atomic { token[w] == 0 ->
       if
       :: FREE && MAY_GROW ->
            if
            :: owner != 0 -> printf("@ %d acquire reclaimed %d\n", w, GROWN(fence))
            :: else -> printf("@ %d acquire acquired %d\n", w, GROWN(fence))
            fi;
            owner = w; fence = GROWN(fence); lease = LEASE; token[w] = fence; told[w] = LEASE; dead[w] = false
       :: else -> skip
       fi
     }
#ifndef LIVENESS
  :: atomic { token[w] != 0 ->
       if
       :: MAY_RENEW(w) ->
            violates(lease == 0, ended_stays_ended);
            printf("@ %d renew renewed\n", w); lease = LEASE; told[w] = LEASE
       :: else -> printf("@ %d renew lost\n", w); told[w] = 0; token[w] = 0
       fi
     }
  :: atomic { token[w] != 0 ->
       if
       :: MAY_WRITE(w) ->
            printf("@ %d write accepted %d\n", w, token[w]);
            violates(token[w] < written, fenced_writes);
            written = token[w]
       :: else -> printf("@ %d write refused %d\n", w, token[w])
       fi
     }
#endif
  :: atomic { token[w] != 0 ->
       if
       :: MAY_RELEASE(w) -> printf("@ %d release released\n", w); owner = 0; lease = 0
       :: else -> printf("@ %d release not_holder\n", w)
       fi;
       told[w] = 0; token[w] = 0
     }
  :: atomic { token[w] != 0 ->
       printf("@ %d crash\n", w);
       if
       :: owner == w && token[w] == fence -> dead[w] = true
       :: else -> skip
       fi;
       told[w] = 0; token[w] = 0
     }
  od
}

/* Proves that a holder has ended, and may bring its evidence late. */
proctype Prober() {
  do
  :: atomic { !proven && orphaned ->
       printf("@ 3 probe ended %d\n", owner); proven = true; provenFence = fence
     }
  :: atomic { proven ->
       if
       :: EVIDENCE_HOLDS -> printf("@ 3 evidence applied\n"); owner = 0; lease = 0
       :: else -> printf("@ 3 evidence overtaken\n")
       fi;
       proven = false; provenFence = 0
     }
  od
}

proctype Clock() {
  do
  :: atomic {
       printf("@ 0 tick\n");
       if :: lease > 0 -> lease-- :: else fi;
       if :: told[1] > 0 -> told[1]-- :: else fi;
       if :: told[2] > 0 -> told[2]-- :: else fi;
     }
  od
}

#ifndef LIVENESS
/* One live holder by the store's clock. */
proctype Monitor() {
  atomic { told[1] > 0 && told[2] > 0 -> violates(true, one_live_holder) }
}
#endif

init {
  atomic {
    run Worker(1); run Worker(2); run Clock();
#ifndef LIVENESS
    run Prober(); run Monitor()
#endif
  }
}

#ifdef LIVENESS
ltl taken_again { [] (orphaned -> <> !orphaned) }
#endif
