package alert

import (
	"context"
	"log/slog"

	"rollcall/models/db"
)

// EventNews returns a channel that yields after events of an account were committed, and now and then without
// a reason. So a follower reads what there is (EventsAfter) each time; news that arrive before that are one.
// None is missed, also when the connection was lost in between. The caller must call leave when done.
// Problems with the connection are logged to the logger of the first follower.
func (s *Store) EventNews(ctx context.Context, accountID string, logger *slog.Logger) (news <-chan struct{}, leave func()) {
	return s.eventNews.Follow(ctx, accountID, db.Hooks[struct{}]{
		Run: func(ctx context.Context, session *db.Session) {
			// Without an account the news are for all.
			tell := func(accountID string) {
				s.eventNews.Tell(session, struct{}{}, func(of string) bool { return accountID == "" || of == accountID })
			}
			l := db.Whenever(db.EventsChannel, func() { tell("") })
			l.Heard = tell
			s.Follow(ctx, logger, l, func() {})
		},
	})
}
