/* A worker. Its life ends at any step; the next one begins once its last call is over, so that two calls are never one. */
#ifdef IMPLIED
#define FIRST BEGUN
#else
#define FIRST HAS
#endif

/*
 * Where the provider's memory is what protects (WINDOW), a paused worker sends before that memory may end, or never: an
 * assumption. A worker whose begin is implied and who is not paused sends whenever its lease still covers a call.
 */
#ifdef IMPLIED
#define MAY_SEND(w) (!hasWindow || firstAge <= WINDOW - CALL - COMMIT || (owner == w && state == CLAIMED && lease >= CALL))
#else
#define MAY_SEND(w) (!hasWindow || firstAge <= WINDOW - CALL - COMMIT || (owner == w && state == CLAIMED && begunAge == 0))
#endif

inline drop(w) {
  at[w] = IDLE; said[w] = 0
}

inline letGo(w) {
  if
  :: call[w] == OPEN -> call[w] = LOOSE; callAge[w] = 0
  :: call[w] == TAKEN || call[w] == TURNED -> call[w] = NONE; callAge[w] = 0
  :: else
  fi
}

proctype Worker(byte w) {
  bool ok, acted;
  do
  :: atomic { at[w] == IDLE ->
       settle();
       handOut(w, ok);
       if
       :: ok -> at[w] = FIRST
       :: !ok && acted -> printf("@ %d claim nothing\n", w)
       :: else
       fi;
       ok = false; acted = false
     }
#ifndef IMPLIED
  :: atomic { at[w] == HAS ->
       begin(w, ok);
       if
       :: ok -> at[w] = BEGUN
#ifdef LOST_ANSWERS
       :: ok -> printf("@ %d lost-answer\n", w)
#endif
       :: !ok -> drop(w)
       fi;
       ok = false
     }
#endif
  :: atomic { at[w] == BEGUN && MAY_SEND(w) -> printf("@ %d send\n", w); call[w] = OPEN; callAge[w] = 0; at[w] = CALLING }
  :: atomic { at[w] == BEGUN && !MAY_SEND(w) -> printf("@ %d give-up\n", w); drop(w) }
  :: atomic { at[w] == CALLING && call[w] == TAKEN -> printf("@ %d answered yes\n", w); call[w] = NONE; callAge[w] = 0; at[w] = GOT_REF }
  :: atomic { at[w] == CALLING && call[w] == TURNED -> printf("@ %d answered no\n", w); call[w] = NONE; callAge[w] = 0; at[w] = GOT_NO }
  :: atomic { at[w] == CALLING -> printf("@ %d time-out\n", w); letGo(w); at[w] = GOT_NOTHING }
  :: atomic { at[w] == GOT_REF ->
       sayDone(w);
       if
       :: drop(w)
#ifdef LOST_ANSWERS
       :: printf("@ %d lost-answer\n", w)
#endif
       fi
     }
  :: atomic { at[w] == GOT_NO ->
       sayFailed(w);
       if
       :: drop(w)
#ifdef LOST_ANSWERS
       :: printf("@ %d lost-answer\n", w)
#endif
       fi
     }
#ifndef QUIET
  :: atomic { at[w] == GOT_NO -> printf("@ %d failed-for-good\n", w);
       if
       :: isCurrent(w) && state == CLAIMED -> settleAs(FAILED)
       :: isCurrent(w) && state == REVIEW && evidence -> becomesDone()
       :: else
       fi;
       drop(w)
     }
#endif
  :: atomic { at[w] == GOT_NOTHING ->
       sayUnknown(w);
       if
       :: drop(w)
#if defined(LOST_ANSWERS) && !defined(IMPLIED)
       :: printf("@ %d tries-again\n", w); at[w] = FIRST /* by itself, with the token it has */
#endif
       fi
     }
#ifdef EXTENDS
  :: atomic { at[w] != IDLE && at[w] != DEAD && MAY_EXTEND(w) && lease < LEASE ->
       violates(lease == 0, ended_stays_ended);
       printf("@ %d extend extended\n", w); lease = LEASE; lapsed = 0; change() }
#endif
#ifdef RETURNS
  /* It is told to end: it gives back what it may, and lets its call go. */
  :: atomic { at[w] != IDLE && at[w] != DEAD && MAY_RETURN(w) ->
       printf("@ %d return returned\n", w); forget(); state = QUEUED; owner = 0; letGo(w); at[w] = DEAD; said[w] = 0 }
#endif
  :: atomic { at[w] != IDLE && at[w] != DEAD -> printf("@ %d crash\n", w);
       if
       :: owner == w -> gone = true
       :: else
       fi;
       letGo(w); at[w] = DEAD; said[w] = 0
     }
  :: atomic { at[w] == DEAD && call[w] == NONE -> at[w] = IDLE }
  od
}
