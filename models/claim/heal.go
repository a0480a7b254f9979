package claim

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// healed are the statements that take back instants of the future in the tables of cases, all of one form.
var healed = []string{"heal_cases", "heal_hearings", "heal_case_charges"}

// healing is how instants of the future become instants that were.
type healing struct {
	source                string
	newest, latest, until time.Time
	moved                 bool // an instant was moved since it was set to false
}

// move returns where an instant belongs. The newest instant of the future becomes until, and those before it keep their
// order: an hour between two becomes 3.6 microseconds. Else a hearing that was taken back would stand again.
func (h *healing) move(at time.Time) time.Time {
	if !at.After(h.latest) {
		return at
	}
	h.moved = true
	return resolve.Instant(h.until.Add(-max(0, h.newest.Sub(at)) / 1e9))
}

// Heal moves, in a transaction of the caller, what a source claimed of an instant after latest to the instant at, and
// resolves the records of those claims anew: another source may have known better meanwhile.
func (s *Store) Heal(ctx context.Context, tx *joint.Tx, source string, latest, at time.Time) error {
	for _, name := range healed {
		if _, err := tx.Pgx().Exec(ctx, statements.Get(name), engine.Args{"source": source, "latest": latest, "at": at}); err != nil {
			return fmt.Errorf("take back instants of the future (%s): %w", name, err)
		}
	}
	for _, family := range Families() {
		t := s.action(tx, family)
		if err := t.Lock(ctx); err != nil {
			return err
		}
		var newest *time.Time
		if err := t.One(ctx, "newest_future", engine.Args{"source": source, "latest": latest}, &newest); err != nil {
			return err
		}
		if newest == nil {
			continue
		}
		h := &healing{source: source, newest: *newest, latest: latest, until: at}
		var records []int64
		var err error
		switch family {
		case models.Roster:
			records, err = healClaims(ctx, t, h, (*resolve.BookingFacts).Heal)
		case models.Courts:
			records, err = healClaims(ctx, t, h, (*court.Report).Heal)
		case models.Corrections:
			records, err = healClaims(ctx, t, h, (*resolve.OffenderFacts).Heal)
		}
		if err != nil {
			return fmt.Errorf("take back instants of the future: %w", err)
		}
		if err := t.Do(ctx, "heal_records", engine.Args{"records": records, "latest": latest, "at": at}); err != nil {
			return err
		}
		if err := t.resolveAll(ctx, records); err != nil {
			return err
		}
	}
	return nil
}

// healClaims moves the instants of the source's claims, some thousands at once, and returns the records of those that it
// wrote.
func healClaims[F any](ctx context.Context, t *action, h *healing, facts func(*F, func(time.Time) time.Time)) (records []int64, err error) {
	a := engine.Args{"source": h.source, "key": "", "stay": -1, "n": engine.Chunk}
	for {
		claims, err := engine.ReadClaims[F](ctx, t.Session, "claims_of_source", a)
		if err != nil || len(claims) == 0 {
			return records, err
		}
		var write []*resolve.Claim[F]
		for _, c := range claims {
			h.moved = false
			c.Heal(h.move)
			if facts(&c.Facts, h.move); !h.moved {
				continue
			}
			write = append(write, c)
			if c.Record != 0 {
				records = append(records, c.Record)
			}
		}
		if err := engine.WriteClaims(ctx, t.Session, nil, write); err != nil {
			return nil, err
		}
		last := claims[len(claims)-1]
		a["key"], a["stay"] = last.Key, last.Stay
	}
}

// resolveAll resolves records anew, some thousands at once.
func (s *action) resolveAll(ctx context.Context, records []int64) error {
	slices.Sort(records)
	for some := range slices.Chunk(slices.Compact(records), engine.Chunk) {
		if _, err := s.resolve(ctx, some...); err != nil {
			return err
		}
	}
	return nil
}
