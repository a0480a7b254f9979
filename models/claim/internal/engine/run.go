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

// Run is one snapshot on its way into the tables of a family.
type Run struct {
	snapshot.Reconciler
	*Session
	Applied snapshot.Applied
	Verdict snapshot.Completeness
	Policy  *resolve.Policy // of the source itself
	refused snapshot.Exempt // whom rows speak of that the tables showed to be wrong
	Repeats bool            // some key comes more than once
	Present int             // keys that the source listed until now
	Fresh   []Brief         // people under keys that nobody knew
	Touched []int64         // records whose claims became others
	filling filling

	Impact Impact
	rehearsal
}

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// Reconcile takes rows of a family through its steps, in one transaction.
func Reconcile(ctx context.Context, on Database, of *Family, rec snapshot.Reconciler, rows iter.Seq2[Incoming, error], steps []Step) (snapshot.Applied, snapshot.Completeness, error) {
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
		return snapshot.Applied{Rows: r.Applied.Rows}, r.Verdict, held
	}
	if err != nil {
		return snapshot.Applied{}, r.Verdict, err
	}
	return r.Applied, r.Verdict, nil
}

// prove asks for the verdict on the staged rows.
func prove(_ context.Context, r *Run) error {
	r.Verdict = r.Prove(r.Applied.Rows)
	r.Verdict.Complete = r.Verdict.Complete && r.Tracks // else its absences mean nothing
	if r.Verdict.Hold != "" {
		return &snapshot.HeldError{Reason: r.Verdict.Hold}
	}
	return nil
}

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
	r.Policy.Confirmations, r.Policy.WindowDays = max(1, r.Confirmations), r.WindowDays
	return nil
}

// lookAhead looks which keys come more than once, and counts what the source listed until now.
func lookAhead(ctx context.Context, r *Run) error {
	var repeated int
	if err := r.One(ctx, "count_repeated", nil, &repeated); err != nil {
		return err
	}
	r.Repeats = repeated > 0
	return r.One(ctx, "count_present", Args{"source": r.SourceID}, &r.Present)
}

// JudgeRefused looks at the verdict again when rows were refused: a snapshot of which too many were proves
// nobody's absence.
func JudgeRefused(_ context.Context, r *Run) error {
	n := 0
	for _, bad := range r.Applied.Rejected {
		if bad.Pending == nil {
			n++
		}
	}
	if n > 0 && r.Refuse != nil && r.Refuse(n) {
		r.Verdict.Complete = false
	}
	return nil
}

// Reject notes a row that only what is known shows to be wrong. Nobody of whom it may speak is absent.
func (r *Run) Reject(line int64, field, reason, key, name string) {
	r.Applied.Rejected = append(r.Applied.Rejected, snapshot.RejectedRow{Line: line, Field: field, Reason: reason})
	r.refused.Keys, r.refused.Names = append(r.refused.Keys, key), append(r.refused.Names, name)
}

// note notes the snapshot with its run and source, so that a later one counts it.
func note(ctx context.Context, r *Run) error {
	if err := r.Do(ctx, "note_run", Args{"run": r.RunID, "at": r.At, "complete": r.Verdict.Complete, "documents": r.Documents}); err != nil {
		return err
	}
	var reported *string
	if len(r.Verdict.Reported) > 0 {
		text := string(r.Verdict.Reported)
		reported = &text
	}
	n, err := r.Exec(ctx, "note_source", Args{
		"source": r.SourceID, "now": r.Now, "complete": r.Verdict.Complete, "approved": r.Approved,
		"keys": r.Verdict.Keys, "reported": reported, "lists": r.Tracks, "at": r.At,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return &snapshot.HeldError{Reason: "an operator held the source while it was being read", Standing: true}
	}
	if !r.Verdict.Complete {
		return nil
	}
	return r.Do(ctx, "note_complete", Args{"source": r.SourceID, "at": r.At, "rows": r.Verdict.Rows})
}

// NoteCounties notes which counties the rows speak of: freshness is asked of a county.
func NoteCounties(ctx context.Context, r *Run) error {
	return r.Do(ctx, "note_counties", Args{"source": r.SourceID})
}

// TouchUnchanged notes that unchanged rows were seen in a snapshot that stands in no list of complete ones.
func TouchUnchanged(ctx context.Context, r *Run) error {
	if r.Verdict.Complete || r.Imported {
		return nil
	}
	return r.Do(ctx, "touch_unchanged", Args{"source": r.SourceID})
}

// DetectedAt is when changes are detected: by the clock of the run, where it has one.
func (r *Run) DetectedAt() time.Time {
	if r.Clock != nil {
		return r.Clock().UTC()
	}
	return r.Now
}
