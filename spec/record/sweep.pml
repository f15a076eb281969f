/* The sweep: what needs the provider's answer. Its look-up may be slow, lost, and late to apply. */
#define ASKS 0
#define LOOKS 1
#define KNOWS_FOUND 2
#define KNOWS_ABSENT 3
#define KNOWS_NOTHING 4

#ifdef NO_COMPARE
#define STILL_SO (state == CLAIMED)
#else
#define STILL_SO seen[n]
#endif

/* From when on an absence counts: its sender is known to have stopped, or its lease is over. */
#ifdef WITH_BASE_BEGUN
#define RIPE (begunAge >= CALL + DELAY)
#else
#define RIPE ((flag != 0 && flagAge >= DELAY && begunAge >= CALL + DELAY) || \
  (flag == 0 && ended && endedAge >= DELAY && begunAge >= CALL + DELAY) || \
  (flag == 0 && !ended && lapsed >= DELAY))
#endif

/* Its sender will not send any more, nor will anybody before it. */
#ifdef NO_SENDER_RULE
#define STOPPED true
#else
#ifdef WITH_UNSURE_AS_STOPPED
#define STOPPED (flag != 0 || ended)
#else
#define STOPPED (sure && (flag == SENDER || ended))
#endif
#endif

#ifdef NO_RETENTION
#define REMEMBERED true
#else
#define REMEMBERED (RETENTION == 0 || begunAge <= RETENTION)
#endif

#ifdef NO_PENDING_BOUND
#define MAY_STILL_PEND true
#else
#define MAY_STILL_PEND (pendings < PENDING)
#endif

proctype Sweeper(byte n) {
  byte step = ASKS;
  byte pendings = 0;
  bool ripe, stopped, deduplicates, remembered;
  do
  :: atomic { step == ASKS && state == CLAIMED && gone && !ended && begun -> printf("@ 3 holder-ended\n"); ended = true; endedAge = 0 }
  :: atomic { step == ASKS && state == CLAIMED && (flag != 0 || begun && lease == 0) ->
       violates(callIsOpen, keeps_its_record);
       printf("@ 3 take\n");
       seen[n] = true;
       ripe = RIPE; stopped = STOPPED; remembered = REMEMBERED;
       deduplicates = hasWindow && firstAge < SEND_BEFORE;
#ifdef NO_ASKING
       printf("@ 3 assume absent\n"); step = KNOWS_ABSENT
#else
#ifdef NO_CONFIRMATION
       printf("@ 3 assume found\n"); step = KNOWS_FOUND
#else
       step = LOOKS
#endif
#endif
     }
  :: atomic { step == LOOKS && effects > 0 && !(RETENTION > 0 && effectAge > RETENTION) ->
       printf("@ 3 look-up found\n"); step = KNOWS_FOUND }
  :: atomic { step == LOOKS && (effects == 0 || effectAge < VISIBLE || RETENTION > 0 && effectAge > RETENTION) ->
       
       printf("@ 3 look-up absent\n"); step = KNOWS_ABSENT;
#ifndef WITH_RETENTION_AT_ASKING
       remembered = REMEMBERED
#endif
     }
#ifndef QUIET
  :: atomic { step == LOOKS -> printf("@ 3 look-up unknown\n"); step = KNOWS_NOTHING }
#endif
#ifdef PENDING
  :: atomic { step == LOOKS && MAY_STILL_PEND -> printf("@ 3 look-up pending\n"); pendings = (pendings < PENDING -> pendings + 1 : pendings); step = ASKS }
#endif
  :: atomic { step >= KNOWS_FOUND ->
       if
       :: !STILL_SO -> printf("@ 3 apply overtaken\n")
       :: STILL_SO && step == KNOWS_FOUND -> printf("@ 3 apply found\n"); becomesDone()
       :: STILL_SO && step == KNOWS_NOTHING -> printf("@ 3 apply review\n"); settleAs(REVIEW)
       :: STILL_SO && step == KNOWS_ABSENT && !ripe -> printf("@ 3 apply wait\n")
       :: STILL_SO && step == KNOWS_ABSENT && ripe && remembered && stopped -> printf("@ 3 apply requeue\n"); sure = true; requeue()
       :: STILL_SO && step == KNOWS_ABSENT && ripe && remembered && !stopped && deduplicates ->
            printf("@ 3 apply requeue-before\n"); sure = false; requeue()
       :: else -> printf("@ 3 apply review\n"); settleAs(REVIEW)
       fi;
       step = ASKS; ripe = false; stopped = false; remembered = false; deduplicates = false; seen[n] = false
     }
#if !defined(QUIET) && (!defined(LIVENESS) || defined(DAY))
  :: atomic { step != ASKS -> printf("@ 3 crash\n");
       step = ASKS; ripe = false; stopped = false; remembered = false; deduplicates = false; seen[n] = false }
#endif
  od
}
