package models

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
)

var RosterHook func(s *Store, ctx context.Context, r Reconciler, rows iter.Seq2[*RosterRow, error]) (Applied, Verdict, error)
var ImportHook func(s *Store, ctx context.Context, r Reconciler, rows iter.Seq2[*ImportedBooking, error]) (Applied, error)
var MergeBookingsHook func(s *Store, ctx context.Context, kept, gone string) error
var ReviewHook func(s *Store, ctx context.Context, tx pgx.Tx, key int64, reason string, decision ReviewDecision, actor, note string) error

func (s *Store) JobsQ() JobQueue { return s.jobs }

func (s *Store) FollowBookings(ctx context.Context, tx pgx.Tx, rids []int64, source string, run int64, now time.Time) error {
	by := sealer{now: now, sourceID: &source}
	if run != 0 {
		by.runID = &run
	}
	return sealCasesOf(ctx, tx, rids, by)
}
