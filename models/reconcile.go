package models

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
)

// Snapshot says what one run of a source speaks of, and how its absences are read.
type Snapshot struct {
	SourceID      string
	RunID         int64
	At            time.Time // the instant that the data speaks of
	Documents     int       // files that it consists of
	Now           time.Time
	Imported      bool  // a takeover: what is known already stays, and any source knows better
	Tracks        bool  // absence from a complete snapshot means something
	Releases      bool  // it means a release
	Confirmations int   // complete snapshots in a row that must lack a record
	WindowDays    int   // a record booked longer ago leaves the list without a release; 0: no window
	OtherBytes    bool  // of rosters: the bytes of the snapshot before confirm nothing, but after a day
	Unnumbered    bool  // its keys are made of facts alone, so two rows may have one by chance
	Renumbered    bool  // an operator said so: people of the source are recognised under new keys
	Cleared       int64 // the run that was held and that an operator cleared, where this snapshot may take his word; 0: none

	BaselineWindow time.Duration    // how old a booking may be to fire in a baseline; 0: DefaultBaselineWindow
	Clock          func() time.Time // tells when changes are detected; nil: Now
}

// Applied counts what a run did to the tables.
type Applied struct {
	Rows       int // staged
	New        int
	Adopted    int // bookings of a takeover, another source or another key, recognised
	Changed    int
	Unchanged  int
	Older      int // rows that speak of an instant before what is known
	Repeated   int // the same record again in one snapshot; the newest counts
	Closed     int // released, stated or by absence
	Reopened   int
	Missing    int // absent from this complete snapshot, not closed by it
	Withheld   int
	Removed    int // hearings taken back
	Generation int64
	Rejected   []RejectedRow
}

// RejectedRow is a row that only the database could tell to be wrong.
type RejectedRow struct {
	Line   int64
	Field  string
	Reason string
	Awaits *Awaited `db:"-"` // what it is a part of, where nobody has told of that yet; nil: it is wrong by itself
}

// Awaited is what a row waits for: a case, or the booking that a release names.
type Awaited struct {
	CaseKey           // an empty party: any of them
	Booking string    // the key of a booking of the same source; CaseKey is empty then
	SeenAt  time.Time // the instant that the row speaks of
}

// Verdict is what is known of a snapshot when all its rows are read.
type Verdict struct {
	Complete bool     // proven: absence may be read
	Proven   bool     // of a held one: it would be complete
	Hold     string   // why nothing of it may be applied until an operator looked, or empty
	Keys     []string // the names of values that are known with it; nil: as before
	Lost     []string // fields that its source told before and that are in no row of it: what is known of them stays
	Told     []byte   // what its rows told of, as JSON, to become what the next is compared with; nil: nothing
	Rows     int      // of the snapshot, bad ones included: what the next complete one is compared with
}

// HeldError says that a snapshot was not applied and waits for an operator.
type HeldError struct {
	Reason   string
	Standing bool  // an operator's hold or an earlier one is the reason, not the snapshot
	Would    Would // whom it would have changed; nil: nobody, or that is not known
}

// Error gives the reason.
func (e *HeldError) Error() string { return "held: " + e.Reason }

// Identity is who a record is about, for the guard against a key that changed its person.
type Identity struct {
	Name string
	DOB  *Date
}

// Reconciler brings the rows of one snapshot into the tables, all of them or none.
type Reconciler struct {
	Snapshot
	// Prove is called when all rows are staged, with their number.
	Prove func(rows int) Verdict
	// Spared, called after Prove, lists whom rows speak of that could not be read. Nobody of them is missing.
	Spared func() Spared
	// Refuse, when set, is called with how many rows the identity guard rejected, should there be any,
	// and tells whether these are too many for a complete snapshot.
	Refuse func(rejected int) bool
	// Turned, when set, tells why so many keys that came and went at once can not be believed, or nothing.
	Turned func(Turnover) (hold string)
	// Upset, when set, tells why what the run would do to people can not be believed, or nothing; cleared: an
	// operator's word took a reason away.
	Upset func(Upheaval) (hold string, cleared bool)
	// Same tells whether a record known under a key and a new row under it can be one person.
	Same func(known, row Identity) bool
	// Namesake, when set, tells whether two sources may have written one person's name so.
	Namesake func(known, row Identity) bool
	// Moved, when set, tells whether the source may tell of a booking that it told before under a key that it never used.
	Moved func(known, row Stay) bool
	// Rehearse, when set, is told what the snapshot would do; then nothing of it is kept.
	Rehearse func(Rehearsal)
}

// staging is a reconcile step list in one transaction.
type staging struct {
	Reconciler
	tx      pgx.Tx
	store   *Store
	applied Applied
	verdict Verdict
	batch   int64  // of changes; 0: none
	filling bool   // the tables were empty, and their indexes are made after
	delta   bool   // of courts: some rows tell no whole case
	key     string // the staged column of the key
	refused Spared // whom the rows speak of that the tables showed to be wrong
	work    work

	upheaval   Upheaval
	waiverUsed bool // an operator's word let it through
}

// reconcile stages rows by COPY, asks for the verdict, and runs steps, in one transaction.
func (s *Store) reconcile(ctx context.Context, r Reconciler, family Family, create string, columns []string, rows iter.Seq2[[]any, error], steps func(context.Context, *staging) error) (Applied, Verdict, error) {
	st := &staging{Reconciler: r, store: s, key: stagedKeys[family]}
	err := s.InTx(ctx, func(tx pgx.Tx) error {
		st.tx = tx
		if err := st.exec(ctx, "raise sort memory", `set local work_mem = '64MB'`); err != nil {
			return err
		}
		if err := st.exec(ctx, "create staging table", create); err != nil {
			return err
		}
		n, err := copyRows(ctx, tx, "staged", columns, rows)
		if err != nil {
			return err
		}
		st.applied.Rows = int(n)
		st.verdict = r.Prove(int(n))
		st.verdict.Complete = st.verdict.Complete && st.Tracks // else its absences mean nothing
		if st.verdict.Hold != "" {
			return st.hold(ctx, family)
		}
		if err := st.exec(ctx, "analyze staging table", `analyze staged`+stagedStatistics[family]); err != nil {
			return err
		}
		if family == Courts {
			if err := awaitRoster(ctx, tx); err != nil {
				return err
			}
		}
		if st.applied.Generation, err = nextGeneration(ctx, tx, family); err != nil {
			return err
		}
		if err := steps(ctx, st); err != nil {
			return err
		}
		if r.Rehearse != nil {
			return st.rehearse(ctx, family)
		}
		return st.finish(ctx)
	})
	if errors.Is(err, errRehearsed) {
		err = nil
	}
	if _, held := errors.AsType[*HeldError](err); held {
		return Applied{Rows: st.applied.Rows}, st.verdict, err
	}
	if err != nil {
		return Applied{}, st.verdict, err
	}
	return st.applied, st.verdict, nil
}

// finish notes the snapshot with its run in the same transaction, so that a later one counts it.
func (st *staging) finish(ctx context.Context) error {
	err := st.exec(ctx, "note the snapshot", `update runs set snapshot_at = $2, complete = $3, documents = nullif($4, 0) where id = $1`, st.RunID, st.At, st.verdict.Complete, st.Documents)
	if err != nil {
		return err
	}
	// Written with the rows: should the process end before the run is concluded, the next is no baseline.
	// The row is locked until then: a hold comes before, and stops this snapshot, or after, and stops the next.
	tag, err := st.tx.Exec(ctx, `update sources set last_applied = greatest(last_applied, $2), renumbered = renumbered and not $3, waived = waived and not $4,
 keys = coalesce($8::text[], keys), told = case when $5::jsonb is not null and (told is null or not $6 or $3 and (last_complete is null or last_complete <= $7)) then $5 else told end
 where id = $1 and held_since is null`, st.SourceID, st.Now, st.verdict.Complete, st.Cleared != 0 && (st.verdict.Complete || !st.Tracks || st.waiverUsed),
		nilIfEmpty(string(st.verdict.Told)), st.Tracks, st.At, st.verdict.Keys)
	if err != nil {
		return fmt.Errorf("note the success: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return &HeldError{Reason: "an operator held the source while it was being read", Standing: true}
	}
	if st.verdict.Complete {
		if err := st.noteComplete(ctx); err != nil {
			return err
		}
	}
	return st.sealBatch(ctx)
}

func (st *staging) noteComplete(ctx context.Context) error {
	return st.exec(ctx, "note the newest complete snapshot", `update sources set last_complete = greatest(last_complete, $2),
 last_rows = case when last_complete is null or last_complete <= $2 then $3 else last_rows end where id = $1`, st.SourceID, st.At, st.verdict.Rows)
}

// copyRows streams rows into a table. A row is made while those before it are sent.
func copyRows(ctx context.Context, tx pgx.Tx, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	next, stop := ahead(rows)
	defer stop()
	var broken error // of the rows; the server would wrap it in words of its own
	n, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		var row []any
		row, broken = next()
		return row, broken
	}))
	if broken != nil {
		return 0, broken
	}
	return n, err
}

// exec runs one step.
func (st *staging) exec(ctx context.Context, what, sql string, args ...any) error {
	_, err := st.count(ctx, what, sql, args...)
	return err
}

// count runs one step and gives the number of rows it touched.
func (st *staging) count(ctx context.Context, what, sql string, args ...any) (int, error) {
	tag, err := st.tx.Exec(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return int(tag.RowsAffected()), nil
}

// reject drops staged rows by their place and notes why.
func (st *staging) reject(ctx context.Context, field, reason string, ords []int64) error {
	if len(ords) == 0 {
		return nil
	}
	rows, err := st.tx.Query(ctx, `delete from staged where ord = any($1) returning line, `+st.key+`, name`, ords)
	if err != nil {
		return fmt.Errorf("reject rows: %w", err)
	}
	var line int64
	var key, name string
	_, err = pgx.ForEachRow(rows, []any{&line, &key, &name}, func() error {
		st.applied.Rejected = append(st.applied.Rejected, RejectedRow{Line: line, Field: field, Reason: reason})
		st.refused.Keys, st.refused.Names = append(st.refused.Keys, key), append(st.refused.Names, name)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reject rows: %w", err)
	}
	return nil
}

// guard asks Same of every pair that query yields (ord, known name, known dob, row name, row dob) and
// rejects the rows of other people.
func (st *staging) guard(ctx context.Context, query string, args ...any) error {
	strangers, _, err := st.strangers(ctx, query, args...)
	if err != nil {
		return err
	}
	return st.reject(ctx, "identity", anotherPerson, strangers)
}

const anotherPerson = "the key is known for another person"

// strangers gives the rows of other people, as guard finds them, and those among them whose names agree:
// only the birth dates conflict.
func (st *staging) strangers(ctx context.Context, query string, args ...any) (strangers, namesakes []int64, err error) {
	rows, err := st.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("compare people: %w", err)
	}
	var ord int64
	var known, row Identity
	_, err = pgx.ForEachRow(rows, []any{&ord, &known.Name, &known.DOB, &row.Name, &row.DOB}, func() error {
		if st.Same(known, row) {
			return nil
		}
		strangers = append(strangers, ord)
		if st.Same(Identity{Name: known.Name}, Identity{Name: row.Name}) {
			namesakes = append(namesakes, ord)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("compare people: %w", err)
	}
	return strangers, namesakes, nil
}

// nilIfEmpty gives NULL for an empty text.
func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// nilIfZero gives NULL for 0.
func nilIfZero[T int16 | int64](n T) *T {
	if n == 0 {
		return nil
	}
	return &n
}
