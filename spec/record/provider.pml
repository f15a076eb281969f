/* The provider: it may take a call when its caller has gone, show it late, forget it; and it counts effects by itself. */
byte effects = 0;
byte effectAge = 0;
byte call[4];
byte callAge[4];
byte at[4]; /* where each worker stands */

inline accept(w) {
  printf("@ 4 accept %d\n", w);
  if
  :: effects == 0 -> effects = 1; effectAge = 0
  :: effects > 0 && hasWindow && effectAge < WINDOW -> skip /* it knows the key */
  :: else -> effects = 2; violates(!(EFFECTS_MAY_REPEAT), one_effect)
  fi
}

proctype Provider() {
  byte w;
  do
  :: atomic { call[1] == OPEN -> accept(1); call[1] = TAKEN }
  :: atomic { call[2] == OPEN -> accept(2); call[2] = TAKEN }
  :: atomic { call[1] == OPEN -> printf("@ 4 turn-down 1\n"); call[1] = TURNED }
  :: atomic { call[2] == OPEN -> printf("@ 4 turn-down 2\n"); call[2] = TURNED }
  :: atomic { call[1] == LOOSE -> accept(1); call[1] = NONE; callAge[1] = 0 }
  :: atomic { call[2] == LOOSE -> accept(2); call[2] = NONE; callAge[2] = 0 }
  :: atomic { call[1] == LOOSE -> printf("@ 4 lose 1\n"); call[1] = NONE; callAge[1] = 0 }
  :: atomic { call[2] == LOOSE -> printf("@ 4 lose 2\n"); call[2] = NONE; callAge[2] = 0 }
  od
}

/* A call that nobody waits for takes effect within COMMIT ticks or never. Where time-outs are kept, one that is waited for ends in time. */
#define LATE_CALL(w) (call[w] == LOOSE && callAge[w] >= COMMIT)
#define SLOW_CALL(w) ((TIMELY || hasWindow) && at[w] == CALLING && callAge[w] + 1 >= CALL)
/* A worker that is never paused does at once what comes next; only its calls take time. */
#define IDLING(w) (TIMELY && (at[w] == BEGUN || at[w] == GOT_REF || at[w] == GOT_NO || at[w] == GOT_NOTHING))

inline grow(age, most) {
  if :: age < most -> age++ :: else fi
}

/* Where cycles are looked for, a tick that changes nothing is left out: it would only make stories longer. */
#ifdef LIVENESS
#define MATTERS (call[1] == LOOSE || call[2] == LOOSE || (hasWindow && attempt > 0 && firstAge <= WINDOW) || \
  (state == CLAIMED && (lease > 0 || lapsed < LAPSED_MAX || (flag != 0 && flagAge < LAPSED_MAX) || (ended && endedAge < DELAY) || \
    (begun || flag == STORE) && begunAge < BEGUN_AGE_MAX)))
#else
#define MATTERS true
#endif

proctype Clock() {
  do
  :: atomic {
       !LATE_CALL(1) && !LATE_CALL(2) && !SLOW_CALL(1) && !SLOW_CALL(2) && !IDLING(1) && !IDLING(2) && MATTERS ->
       printf("@ 0 tick\n");
       if
       :: call[1] == LOOSE || (call[1] != NONE && (TIMELY || hasWindow)) -> callAge[1]++
       :: else
       fi;
       if
       :: call[2] == LOOSE || (call[2] != NONE && (TIMELY || hasWindow)) -> callAge[2]++
       :: else
       fi;
       if :: effects > 0 -> grow(effectAge, EFFECT_AGE_MAX) :: else fi;
       if :: hasWindow && attempt > 0 -> grow(firstAge, WINDOW + 1) :: else fi;
       if
       :: state == CLAIMED ->
#ifndef NO_EXPIRY
            if :: lease == 0 -> grow(lapsed, LAPSED_MAX) :: else -> lease-- fi;
#endif
            if :: begun || flag == STORE -> grow(begunAge, BEGUN_AGE_MAX) :: else fi;
            if :: flag != 0 -> grow(flagAge, LAPSED_MAX) :: else fi;
            if :: ended -> grow(endedAge, DELAY) :: else fi
       :: else
       fi
     }
  od
}
