package link

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Run is one pass over the links, from BeginLinkRun to Close. At any time there is one, on however many
// replicas. It belongs to one goroutine, of package ingest:
//   - it reads what is due (Bookings, Cases, EachRecord and the like) and compares by package match;
//   - it calls Save and SaveCourtLinks, a part of the due bookings and cases at a time, each in a
//     transaction of its own;
//   - it calls Finish, if nothing failed, and Close in any case.
type Run struct {
	// Full reports whether every booking is due.
	Full bool
	// Records counts the published corrections records. Population is that number as chance agreement uses it: the next
	// power of two. It seldom changes, and when it does, everything is due. So a link depends on the booking, the records
	// near it and the decisions alone.
	Records, Population int
	// Versions are the changed records since the last run, as they were and as they are; none when Full.
	Versions []models.LinkRecord
	// Due are the keys of the bookings whose link may have to change, apart from those near Versions.
	Due []int64
	// DueCases are the keys of the court cases whose links may have to change. Cases near Versions, near the bookings of
	// Due, and linked with bookings whose own link changed, are due as well.
	DueCases []int64

	store *Store
	// lock is the connection that holds the session lock; the server frees it when the connection ends.
	lock *pgx.Conn
	// progress is what is linked when this run is finished.
	progress Progress
}

// linkLock is the session lock of link runs.
const linkLock = 0x6c696e6b // "link"

// BeginLinkRun waits until no other run goes on and finds out what is due: what changed since the last
// finished run, or everything when full is set, the last run was interrupted, or too much has changed. The
// caller must call Close.
func (s *Store) BeginLinkRun(ctx context.Context, full bool) (*Run, error) {
	r := &Run{Full: full, store: s}
	var err error
	if r.lock, err = s.lockLinks(ctx); err != nil {
		return nil, err
	}
	if err := s.Joint(ctx, func(tx *joint.Tx) error { return r.begin(ctx, tx) }); err != nil {
		r.Close()
		return nil, fmt.Errorf("begin linking: %w", err)
	}
	return r, nil
}

// lockLinks takes the lock on a connection of its own. When that ends, for whatever reason, the lock is free.
func (s *Store) lockLinks(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, s.Pool().Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect to link: %w", err)
	}
	_, err = conn.Exec(ctx, `set statement_timeout = 0`)
	if err == nil {
		_, err = conn.Exec(ctx, `select pg_advisory_lock($1)`, linkLock)
	}
	if err != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("wait for the turn to link: %w", err)
	}
	return conn, nil
}

// Close lets the next run begin. If Finish was not called, the next run looks at everything.
func (r *Run) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), db.ClosePatience)
	defer cancel()
	_ = r.lock.Close(ctx) // the server notices anyway
}

// begin reads the generations before the rows that they number. What is committed in between is due again in
// the next run, and nothing is missed. It marks the progress as unfinished, which is how a crash is noticed.
func (r *Run) begin(ctx context.Context, tx *joint.Tx) error {
	var last Progress
	if err := tx.Gorm().Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Take(&last).Error; err != nil {
		return fmt.Errorf("read progress: %w", err)
	}
	p := &r.progress
	var records int64
	err := tx.Pgx().QueryRow(ctx, statements.Get("linked_state")).
		Scan(&p.RosterGen, &p.CorrectionsGen, &p.CourtsGen, &p.Decision, &p.CourtDecision, &records)
	if err != nil {
		return fmt.Errorf("read generations: %w", err)
	}
	r.Records, r.Population = int(records), linkPopulation(int(records))
	p.One, p.Population = true, int64(r.Population)
	// An interrupted run may have written some links and not others, so everything is looked at again.
	r.Full = r.Full || last.Unfinished || last.Population != p.Population
	if !r.Full {
		if err := r.findChanges(ctx, tx.Pgx(), last); err != nil {
			return err
		}
		// When a fifth of the records changed, all bookings are looked at instead of those near the changes.
		r.Full = len(r.Versions) > max(fewVersions, r.Records/5)
	}
	if r.Full {
		err = r.takeEverything(ctx, tx)
	} else {
		err = r.findDue(ctx, tx.Pgx(), last)
	}
	if err != nil {
		return err
	}
	if err := restoreConfirmed(ctx, tx.Pgx(), nil, r.store.Now()); err != nil {
		return err
	}
	if err := restoreConfirmedCourts(ctx, tx.Pgx(), nil, r.store.Now()); err != nil {
		return err
	}
	if !r.any() || last.Unfinished {
		return nil
	}
	if err := tx.Gorm().Model(&last).Update("unfinished", true).Error; err != nil {
		return fmt.Errorf("record begin: %w", err)
	}
	return nil
}

// any reports whether there is something to do.
func (r *Run) any() bool {
	return r.Full || len(r.Due) > 0 || len(r.Versions) > 0 || len(r.DueCases) > 0
}

// Finish records how far the links have come. Only then does the next run skip what this one looked at.
func (r *Run) Finish(ctx context.Context) error {
	if err := r.store.rows(ctx).Select("*").Updates(&r.progress).Error; err != nil {
		return fmt.Errorf("record progress of linking: %w", err)
	}
	return nil
}
