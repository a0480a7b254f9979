package engine

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Run is one snapshot on its way into the tables of a family. Steps read and fill its fields in turn; what each needs and
// makes stands with the step.
type Run struct {
	// Reconciler describes the snapshot and holds the caller's guards.
	snapshot.Reconciler
	*Session
	// Applied counts what the run did, for its report.
	Applied snapshot.Applied
	// Proven is how complete the snapshot is. It is set by the first step; a step that refuses many rows may lower it.
	Proven snapshot.Completeness
	// Policy is what resolving needs to know of the run's own source.
	Policy *resolve.Policy
	// Repeats reports whether some key comes more than once.
	Repeats bool
	// Present is how many keys the source listed until now.
	Present int
	// Fresh are the people under keys that nobody knew, for the key-turnover guard.
	Fresh []Brief
	// Touched are the keys of records whose claims became others, in no order and with repetitions.
	Touched []int64
	// Impact is what the mass-change guard judges.
	Impact Impact

	refused snapshot.Exempt // people in rows that the identity guard refused
	filling filling
	rehearsal
}

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// Reconcile takes the rows of a snapshot through the steps of a family, in one transaction: all of it is kept, or none.
//
// A HeldError says that the snapshot is not believed and that nothing was applied; the number of rows is returned with it.
// The proof is returned with every error that comes after the proof. A rehearsal (Reconciler.Rehearse) is rolled back
// without an error.
func Reconcile(ctx context.Context, on Database, of *Family, rec snapshot.Reconciler, rows iter.Seq2[Incoming, error],
	steps []Step,
) (snapshot.Applied, snapshot.Completeness, error) {
	r := &Run{Reconciler: rec}
	r.rehearsal.wanted = rec.Rehearse != nil
	err := on.InTx(ctx, func(tx pgx.Tx) (err error) {
		r.Session = Open(on, tx, of, rec.Now)
		if r.Applied.Rows, err = r.stage(ctx, rows); err != nil {
			return err
		}
		return r.runSteps(ctx, Frame(steps))
	})
	if errors.Is(err, errRehearsed) {
		err = nil
	}
	if held, is := errors.AsType[*snapshot.HeldError](err); is {
		return snapshot.Applied{Rows: r.Applied.Rows}, r.Proven, held
	}
	if err != nil {
		return snapshot.Applied{}, r.Proven, err
	}
	return r.Applied, r.Proven, nil
}

// prove asks the caller how complete the staged rows are. A snapshot whose absences mean nothing is never complete.
func prove(_ context.Context, r *Run) error {
	r.Proven = r.Prove(r.Applied.Rows)
	r.Proven.Complete = r.Proven.Complete && r.Tracks // else its absences mean nothing
	if r.Proven.Hold != "" {
		return &snapshot.HeldError{Reason: r.Proven.Hold}
	}
	return nil
}

// lockFamily takes the family's lock, and fills the policy of the source from the snapshot, which knows today's document.
func lockFamily(ctx context.Context, r *Run) (err error) {
	if r.of.First != "" {
		if err = r.Do(ctx, r.of.First, nil); err != nil {
			return err
		}
	}
	if err = r.Lock(ctx); err != nil {
		return err
	}
	r.Applied.Generation = r.Gen
	if r.Imported {
		if err := r.Do(ctx, "note_import", Args{"source": r.SourceID}); err != nil {
			return err
		}
	}
	if r.Policy, err = r.policy(ctx, r.SourceID); err != nil {
		return err
	}
	r.Policy.Lists, r.Policy.Releases, r.Policy.Import = r.Tracks, r.Releases, r.Imported
	r.Policy.Confirmations, r.Policy.CopiesAfter, r.Policy.WindowDays = max(1, r.Confirmations), r.CopiesAfter, r.WindowDays
	return nil
}

// lookAhead notes whether keys come more than once, and counts what the source listed until now.
func lookAhead(ctx context.Context, r *Run) error {
	var repeated int
	if err := r.One(ctx, "count_repeated", nil, &repeated); err != nil {
		return err
	}
	r.Repeats = repeated > 0
	return r.One(ctx, "count_present", Args{"source": r.SourceID}, &r.Present)
}

// JudgeRefused is the step that looks at the proof again when rows were refused: a snapshot of which too many were
// refused proves nobody's absence.
func JudgeRefused(_ context.Context, r *Run) error {
	n := len(r.Applied.Rejected)
	if n > 0 && r.Refuse != nil && r.Refuse(n) {
		r.Proven.Complete = false
	}
	return nil
}

// Reject refuses a row that only the tables show to be wrong: it goes to quarantine with field and reason. Nobody of whom it
// may speak, by key or by name, counts as absent.
func (r *Run) Reject(line int64, field, reason, key, name string) {
	r.Applied.Rejected = append(r.Applied.Rejected, snapshot.RejectedRow{Line: line, Field: field, Reason: reason})
	r.refused.Keys, r.refused.Names = append(r.refused.Keys, key), append(r.refused.Names, name)
}

// note notes the snapshot with its run and source, in the transaction of its rows, so that a later one is compared with it.
// An operator who held the source meanwhile stops it here: the error is a standing HeldError.
func note(ctx context.Context, r *Run) error {
	if err := r.Do(ctx, "note_run", Args{"run": r.RunID, "at": r.At, "complete": r.Proven.Complete, "documents": r.Documents}); err != nil {
		return err
	}
	var reported *string
	if len(r.Proven.Reported) > 0 {
		text := string(r.Proven.Reported)
		reported = &text
	}
	n, err := r.Exec(ctx, "note_source", Args{
		"source": r.SourceID, "now": r.Now, "complete": r.Proven.Complete, "approved": r.Approved,
		"keys": r.Proven.Keys, "reported": reported, "lists": r.Tracks, "at": r.At,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return &snapshot.HeldError{Reason: "an operator held the source while it was being read", Standing: true}
	}
	if !r.Proven.Complete {
		return nil
	}
	return r.Do(ctx, "note_complete", Args{"source": r.SourceID, "at": r.At, "rows": r.Proven.Rows})
}

// NoteCounties is the step that notes which counties the rows speak of, as freshness is stated for each county.
func NoteCounties(ctx context.Context, r *Run) error {
	return r.Do(ctx, "note_counties", Args{"source": r.SourceID})
}

// TouchUnchanged is the step that notes when unchanged rows were seen in an incomplete snapshot. Those of a complete one
// need no write: they were seen when the source's last complete snapshot was taken.
func TouchUnchanged(ctx context.Context, r *Run) error {
	if r.Proven.Complete || r.Imported {
		return nil
	}
	return r.Do(ctx, "touch_unchanged", Args{"source": r.SourceID})
}

// DetectedAt returns when changes are detected: by the clock of the run where it has one, else when the run began.
func (r *Run) DetectedAt() time.Time {
	if r.Clock != nil {
		return r.Clock().UTC()
	}
	return r.Now
}
