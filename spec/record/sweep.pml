/* The sweep: what needs the provider's answer. Its look-up may be slow, lost, and late to apply. */
#define SWEEPER_NO (3 + 2 * n)
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

/* What its owner said, or its proven end, says from when on an absence counts; else the end of its lease. */
#ifdef WITH_FLAG_AS_WORD
#define HAS_SAID (flag != 0)
#else
#define HAS_SAID (flag == SENDER)
#endif
#define HAS_ENDED (flag == 0 && ended)

#ifdef WITH_BASE_BEGUN
#define RIPE (begunAge >= CALL + DELAY)
#else
#define RIPE ((HAS_SAID && flagAge >= DELAY && begunAge >= CALL + DELAY) || \
  (HAS_ENDED && endedAge >= DELAY && begunAge >= CALL + DELAY) || \
  (!HAS_SAID && !HAS_ENDED && lapsed >= DELAY))
#endif

/* Its sender will send no more, nor will one before it. */
#ifdef NO_SENDER_RULE
#define STOPPED true
#else
#if defined(NO_EARLIER_SENDER) || defined(WITH_FLAG_AS_WORD)
#define STOPPED (HAS_SAID || HAS_ENDED)
#else
#define STOPPED (sure && (HAS_SAID || HAS_ENDED))
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
  :: atomic { step == ASKS && state == CLAIMED && gone && !ended && begun -> printf("@ %d holder-ended\n", SWEEPER_NO); ended = true; endedAge = 0 }
  :: atomic { step == ASKS && state == CLAIMED && (flag != 0 || begun && lease == 0) ->
       violates(callIsOpen, keeps_its_record);
       printf("@ %d take\n", SWEEPER_NO);
       seen[n] = true;
       ripe = RIPE; stopped = STOPPED; remembered = REMEMBERED;
       deduplicates = hasWindow && inWindow;
#ifdef NO_ASKING
       printf("@ %d assume absent\n", SWEEPER_NO); step = KNOWS_ABSENT
#else
#ifdef NO_CONFIRMATION
       printf("@ %d assume found\n", SWEEPER_NO); step = KNOWS_FOUND
#else
       step = LOOKS
#endif
#endif
     }
  :: atomic { step == LOOKS && effects > 0 && !(RETENTION > 0 && effectAge > RETENTION) ->
       printf("@ %d look-up found\n", SWEEPER_NO); step = KNOWS_FOUND }
  :: atomic { step == LOOKS && (effects == 0 || effectAge < VISIBLE || RETENTION > 0 && effectAge > RETENTION) ->
       
       printf("@ %d look-up absent\n", SWEEPER_NO); step = KNOWS_ABSENT;
#ifndef WITH_RETENTION_AT_ASKING
       remembered = REMEMBERED
#endif
     }
#ifndef QUIET
  :: atomic { step == LOOKS -> printf("@ %d look-up unknown\n", SWEEPER_NO); step = KNOWS_NOTHING }
#endif
#ifdef PENDING
  :: atomic { step == LOOKS && MAY_STILL_PEND -> printf("@ %d look-up pending\n", SWEEPER_NO); pendings = (pendings < PENDING -> pendings + 1 : pendings); step = ASKS }
#endif
  :: atomic { step >= KNOWS_FOUND ->
       if
       :: !STILL_SO -> printf("@ %d apply overtaken\n", SWEEPER_NO)
       :: STILL_SO && step == KNOWS_FOUND -> printf("@ %d apply found\n", SWEEPER_NO); becomesDone()
       :: STILL_SO && step == KNOWS_NOTHING -> printf("@ %d apply review\n", SWEEPER_NO); settleAs(REVIEW)
       :: STILL_SO && step == KNOWS_ABSENT && !ripe -> printf("@ %d apply wait\n", SWEEPER_NO)
       :: STILL_SO && step == KNOWS_ABSENT && ripe && remembered && stopped -> printf("@ %d apply requeue\n", SWEEPER_NO); 
#ifdef NO_EARLIER_SENDER
            sure = true;
#endif
            requeue()
       :: STILL_SO && step == KNOWS_ABSENT && ripe && remembered && !stopped && deduplicates ->
            printf("@ %d apply requeue-before\n", SWEEPER_NO); sure = false; requeue()
       :: else -> printf("@ %d apply review\n", SWEEPER_NO); settleAs(REVIEW)
       fi;
       step = ASKS; ripe = false; stopped = false; remembered = false; deduplicates = false; seen[n] = false
     }
#if !defined(QUIET) && (!defined(LIVENESS) || defined(DAY))
  :: atomic { step != ASKS -> printf("@ %d crash\n", SWEEPER_NO);
       step = ASKS; ripe = false; stopped = false; remembered = false; deduplicates = false; seen[n] = false }
#endif
  od
}
