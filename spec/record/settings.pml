/* The instance: ticks and counts. */
#ifndef LEASE
#define LEASE 2
#endif
#ifndef CALL
#define CALL 1 /* callTimeoutMs */
#endif
#ifndef COMMIT
#define COMMIT 1 /* commitDelayMs: a call takes effect so long after it ended, or never */
#endif
#ifndef VISIBLE
#define VISIBLE 1 /* visibilityDelayMs */
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
#ifndef IDLES
#define IDLES 1 /* requeues without a begin */
#endif
#ifndef RETENTION
#define RETENTION 0 /* how long a look-up shows an effect; 0: for ever */
#endif
#ifndef WINDOW
#define WINDOW 0 /* how long the provider knows an effectKey; 0: it doesn't deduplicate */
#endif
#ifndef PENDINGS
#define PENDINGS 0 /* how often a look-up may answer "pending" before 24 hours are over */
#endif

/* Until when after the first begin a record may be begun again where only the provider's deduplication protects it. */
#ifdef WITHOUT_COMMIT_IN_WINDOW
#define SEND_BEFORE (WINDOW - CALL)
#else
#define SEND_BEFORE (WINDOW - CALL - COMMIT)
#endif

/* How long an absent effect may still appear. */
#ifdef NO_COMMIT_DELAY
#define DELAY VISIBLE
#else
#ifdef NO_VISIBILITY_DELAY
#define DELAY COMMIT
#else
#define DELAY (COMMIT + VISIBLE)
#endif
#endif

#ifdef DAY
#define LAPSED_MAX DAY
#else
#define LAPSED_MAX DELAY
#endif
#define BEGUN_AGE_MAX (RETENTION > CALL + DELAY -> RETENTION + 1 : CALL + DELAY)
#define EFFECT_AGE_MAX (RETENTION > WINDOW -> RETENTION + 1 : (WINDOW > VISIBLE -> WINDOW : VISIBLE))

/* Where a record stands. */
#define QUEUED 0
#define CLAIMED 1
#define DONE 2
#define FAILED 3
#define REVIEW 4

/* What flags it. */
#define SENDER 1 /* its owner said: unknown */
#define STORE 2  /* its send_before has passed */

/* Where a worker stands. */
#define IDLE 0
#define HAS 1     /* claimed, not begun */
#define BEGUN 2   /* may call the provider */
#define CALLING 3
#define GOT_REF 4
#define GOT_NO 5   /* the provider certainly did nothing */
#define GOT_NOTHING 6 /* it doesn't know */
#define DEAD 7

/* A worker's call to the provider. */
#define NONE 0
#define OPEN 1  /* its caller waits; nothing has happened */
#define TAKEN 2 /* accepted; the answer is under way */
#define TURNED 3 /* turned down; the answer is under way */
#define LOOSE 4 /* its caller has gone or given up; it may still take effect */

#ifndef EFFECTS_MAY_REPEAT
#define EFFECTS_MAY_REPEAT false
#endif
#ifndef TIMELY
#define TIMELY false
#endif
#define callIsOpen (owner != 0 && TIMELY && !gone && call[owner] == OPEN)

mtype = { one_effect, known_done_is_not_handed_out, no_done_without_effect, keeps_its_record, ended_stays_ended };

inline violates(wrong, property) {
  if
  :: wrong -> printf("@ 0 violates %e\n", property); assert(false)
  :: else
  fi
}
