/* The store: the record's row, and each operation as one transaction. */
byte state = QUEUED;
byte owner = 0;      /* whose token the record carries; 0: none */
bool begun = false;  /* under the present claim */
bool sure = true;    /* false: a former owner may still send (send_before is set) */
byte attempt = 0;
byte idles = 0;
byte flag = 0;
bool evidence = false;
bool gone = false;   /* the life that made the present claim has ended */
bool ended = false;  /* ... and that was proven */
bool seen[2];        /* what a sweeper asked about is still so: claim, attempt, begun_at, lease_until, state */
bool toldDone = false; /* somebody has said "done" */
byte said[4];        /* what each worker said last under its token; 0: nothing */

byte lease = 0;      /* what remains */
byte lapsed = 0;     /* ages, each kept only while something asks for it */
byte begunAge = 0;
byte firstAge = 0;
byte flagAge = 0;
byte endedAge = 0;

#define hasWindow (WINDOW > 0)
#define inWindow (firstAge <= SEND_BEFORE)
#define isFirstBegun (attempt > 0)
#define isCurrent(w) (owner == w)

inline change() {
  seen[0] = false; seen[1] = false
}

inline forget() {
  change(); begun = false; flag = 0; gone = false; ended = false; lease = 0; lapsed = 0; begunAge = 0; flagAge = 0; endedAge = 0
}

inline settleAs(s) {
  change(); state = s; lease = 0; lapsed = 0; flag = 0; begunAge = 0; flagAge = 0; endedAge = 0; ended = false
}

/* A former owner's "done" counts whatever became of the record. */
inline becomesDone() {
  violates(effects == 0, no_done_without_effect);
  settleAs(DONE); evidence = false
}

/* A requeue keeps it: the sender of an attempt before may still be running. */
inline forgetSendBefore() {
#ifdef NO_SEND_BEFORE_KEPT
  sure = true
#else
  skip
#endif
}

/* Back to the queue, or to review where its attempts are used up. */
inline requeue() {
  if
#ifndef NO_ATTEMPTS
  :: attempt >= ATTEMPTS -> printf("@ 0 store review attempts\n"); settleAs(REVIEW)
#endif
  :: else -> printf("@ 0 store requeued\n"); forget(); state = QUEUED; owner = 0
  fi
}

/* What an expired claim left, as far as it needs no provider's answer. */
/* `acted`: the caller's; true where it changed something. */
inline settle() {
#ifdef LIVENESS
  acted = (state != QUEUED && state != DONE);
#endif
#ifdef NO_SETTLING
  skip
#else
  if
  :: state == CLAIMED && lease == 0 && flag == 0 && !begun ->
       acted = true;
       if
#ifndef NO_IDLES
       :: idles >= IDLES -> printf("@ 0 store review idle\n"); settleAs(REVIEW)
#endif
       :: else -> printf("@ 0 store requeued\n"); idles = (idles < 3 -> idles + 1 : idles); forget(); state = QUEUED; owner = 0
       fi
  :: state == CLAIMED && (flag != 0 || lease == 0 && begun) ->
#ifdef NO_HAS_BEGUN
       acted = true; requeue()
#else
#ifdef SAFE
       acted = true;
       if
       :: !hasWindow || inWindow -> violates(callIsOpen, keeps_its_record); sure = !hasWindow; requeue()
       :: else -> printf("@ 0 store review outside\n"); settleAs(REVIEW)
       fi
#else
#ifdef VERIFIER
#if defined(DAY) && !defined(NO_DAY)
       if
       :: lapsed >= DAY || flagAge >= DAY -> printf("@ 0 store review day\n"); acted = true; settleAs(REVIEW)
       :: else -> skip
       fi
#else
       skip
#endif
#else
       violates(callIsOpen, keeps_its_record);
       printf("@ 0 store review unknowable\n"); acted = true; settleAs(REVIEW)
#endif
#endif
#endif
  :: else -> skip
  fi
#endif
}

/* May it be handed out, with its work begun by the hand-out itself where begin is implied? What a lease would outlast is left
   where it is, for a shorter one; only once the window is over is it claimed and flagged. */
#ifdef IMPLIED
#ifdef WITHOUT_LEASE_IN_WINDOW
#define MAY_HAND_OUT (sure || inWindow)
#else
#define MAY_HAND_OUT (sure || firstAge + LEASE <= SEND_BEFORE + CALL)
#endif
#else
#define MAY_HAND_OUT (sure || inWindow)
#endif

inline countBegin() {
  attempt = (attempt < 4 -> attempt + 1 : attempt); begun = true; begunAge = 0; change();
  if :: attempt == 1 -> firstAge = 0 :: else fi
}

inline handOut(w, got) {
  got = false;
  if
  :: state == QUEUED && !(sure || inWindow) ->
       printf("@ %d claim ask_first\n", w); acted = false;
       forget(); state = CLAIMED; owner = w; flag = STORE; lease = LEASE; said[w] = 0
  :: state == QUEUED && (MAY_HAND_OUT) ->
       printf("@ %d claim owned\n", w);
       violates(toldDone, known_done_is_not_handed_out);
       forget(); state = CLAIMED; owner = w; lease = LEASE; said[w] = 0; got = true;
#ifdef IMPLIED
       countBegin()
#endif
  :: else -> skip
  fi
}

#ifdef NO_TOKEN_ON_BEGIN
#define BEGIN_IS_OURS(w) (state == CLAIMED)
#else
#define BEGIN_IS_OURS(w) (isCurrent(w) && state == CLAIMED)
#endif
#ifdef NO_FLAG_ON_BEGIN
#define BEGIN_IS_FLAGGED false
#else
#define BEGIN_IS_FLAGGED (flag != 0)
#endif
#ifdef NO_LEASE_ON_BEGIN
#define BEGIN_IS_LATE false
#else
#define BEGIN_IS_LATE (lease < CALL || lease == 0)
#endif
#ifdef NO_SEND_BEFORE
#define BEGIN_IS_UNSURE false
#else
#define BEGIN_IS_UNSURE (!sure && !inWindow)
#endif

inline begin(w, ok) {
  ok = false;
  if
  :: !BEGIN_IS_OURS(w) -> printf("@ %d begin not_owner\n", w)
  :: BEGIN_IS_OURS(w) && BEGIN_IS_FLAGGED -> printf("@ %d begin not_claimed\n", w)
  :: BEGIN_IS_OURS(w) && !BEGIN_IS_FLAGGED && BEGIN_IS_LATE -> printf("@ %d begin lease_over\n", w)
  :: BEGIN_IS_OURS(w) && !BEGIN_IS_FLAGGED && !BEGIN_IS_LATE && BEGIN_IS_UNSURE ->
       printf("@ %d begin send_before\n", w); flag = STORE; flagAge = 0
  :: else ->
       printf("@ %d begin accepted\n", w); ok = true;
       violates(toldDone, known_done_is_not_handed_out);
       if :: !begun -> countBegin() :: else fi
  fi
}

#ifdef NO_TOKEN_ON_VERDICT
#define VERDICT_IS_OURS(w) (state == CLAIMED)
#else
#define VERDICT_IS_OURS(w) (isCurrent(w))
#endif

inline sayDone(w) {
  toldDone = true;
  if
  :: isCurrent(w) -> printf("@ %d done accepted\n", w); becomesDone()
  :: !isCurrent(w) && (said[w] == DONE || state == DONE) -> printf("@ %d done known\n", w)
#ifdef NO_EVIDENCE
  :: else -> printf("@ %d done refused\n", w)
#else
  :: !isCurrent(w) && said[w] != DONE && state == CLAIMED && begun ->
       printf("@ %d done evidence\n", w); settleAs(REVIEW); evidence = true
  :: else -> printf("@ %d done evidence\n", w); owner = 0; becomesDone()
#endif
  fi;
  said[w] = DONE
}

/* failed, temporary: the provider certainly did nothing. */
inline sayFailed(w) {
  if
  :: VERDICT_IS_OURS(w) && state == CLAIMED ->
       printf("@ %d failed accepted\n", w);
       forgetSendBefore();
       requeue()
  :: VERDICT_IS_OURS(w) && state == REVIEW && evidence -> printf("@ %d failed done_by_evidence\n", w); becomesDone()
  :: else -> printf("@ %d failed refused\n", w)
  fi;
  said[w] = FAILED
}

inline sayUnknown(w) {
  if
  :: isCurrent(w) && state == CLAIMED ->
       printf("@ %d unknown accepted\n", w);
       if :: flag == 0 -> flag = SENDER; flagAge = 0 :: else fi
  :: isCurrent(w) && state == REVIEW && evidence -> printf("@ %d unknown done_by_evidence\n", w); becomesDone()
  :: else -> printf("@ %d unknown refused\n", w)
  fi;
  said[w] = REVIEW
}

#ifdef NO_EXPIRY_ON_EXTENSION
#define MAY_EXTEND(w) (isCurrent(w) && state == CLAIMED)
#else
#define MAY_EXTEND(w) (isCurrent(w) && state == CLAIMED && lease > 0 && STAYS_IN_WINDOW)
#endif
#ifdef IMPLIED
#ifdef WITH_EXTENSION_PAST_WINDOW
#define STAYS_IN_WINDOW true
#else
#define STAYS_IN_WINDOW (sure || firstAge + LEASE <= SEND_BEFORE + CALL)
#endif
#else
#define STAYS_IN_WINDOW true
#endif

#ifdef NO_BEGUN_ON_RETURN
#define MAY_RETURN(w) (isCurrent(w) && state == CLAIMED)
#else
#define MAY_RETURN(w) (isCurrent(w) && state == CLAIMED && !begun && flag == 0)
#endif
