package claim

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// run is one snapshot on its way into the tables of a family.
type run struct {
	snapshot.Reconciler
	*session
	applied snapshot.Applied
	verdict snapshot.Completeness
	policy  *resolve.Policy // of the source itself
	refused snapshot.Exempt // whom rows speak of that the tables showed to be wrong
	repeats bool            // some key comes more than once
	present int             // keys that the source listed until now
	fresh   []brief         // people under keys that nobody knew
	touched []int64         // records whose claims became others
	filling filling

	impact impact
	rehearsal
}

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// reconcile takes rows of a family through its steps, in one transaction.
func reconcile(ctx context.Context, on Database, of *family, rec snapshot.Reconciler, rows iter.Seq2[incoming, error], steps []step) (snapshot.Applied, snapshot.Completeness, error) {
	r := &run{Reconciler: rec}
	r.rehearsal.wanted = rec.Rehearse != nil
	err := on.InTx(ctx, func(tx pgx.Tx) (err error) {
		r.session = openSession(on, tx, of, rec.Now)
		if r.applied.Rows, err = r.stage(ctx, rows); err != nil {
			return err
		}
		return r.runSteps(ctx, frame(steps))
	})
	if errors.Is(err, errRehearsed) {
		err = nil
	}
	if held, is := errors.AsType[*snapshot.HeldError](err); is {
		return snapshot.Applied{Rows: r.applied.Rows}, r.verdict, held
	}
	if err != nil {
		return snapshot.Applied{}, r.verdict, err
	}
	return r.applied, r.verdict, nil
}

// prove asks for the verdict on the staged rows.
func prove(_ context.Context, r *run) error {
	r.verdict = r.Prove(r.applied.Rows)
	r.verdict.Complete = r.verdict.Complete && r.Tracks // else its absences mean nothing
	if r.verdict.Hold != "" {
		return &snapshot.HeldError{Reason: r.verdict.Hold}
	}
	return nil
}

func lockFamily(ctx context.Context, r *run) (err error) {
	if r.of.first != "" {
		if err = r.do(ctx, r.of.first, nil); err != nil {
			return err
		}
	}
	if err = r.lock(ctx); err != nil {
		return err
	}
	r.applied.Generation = r.gen
	if r.Imported {
		if err := r.do(ctx, "note_import", args{"source": r.SourceID}); err != nil {
			return err
		}
	}
	src, err := r.source(ctx, r.SourceID)
	if err != nil {
		return err
	}
	r.policy = &src.Policy
	r.policy.Lists, r.policy.Releases, r.policy.Import = r.Tracks, r.Releases, r.Imported
	r.policy.Confirmations, r.policy.WindowDays = max(1, r.Confirmations), r.WindowDays
	return nil
}

// lookAhead looks which keys come more than once, and counts what the source listed until now.
func lookAhead(ctx context.Context, r *run) error {
	var repeated int
	if err := r.one(ctx, "count_repeated", nil, &repeated); err != nil {
		return err
	}
	r.repeats = repeated > 0
	return r.one(ctx, "count_present", args{"source": r.SourceID}, &r.present)
}

// judgeRefused looks at the verdict again when rows were refused: a snapshot of which too many were proves
// nobody's absence.
func judgeRefused(_ context.Context, r *run) error {
	n := 0
	for _, bad := range r.applied.Rejected {
		if bad.Pending == nil {
			n++
		}
	}
	if n > 0 && r.Refuse != nil && r.Refuse(n) {
		r.verdict.Complete = false
	}
	return nil
}

// refuse notes a row that only what is known shows to be wrong. Nobody of whom it may speak is absent.
func (r *run) refuse(line int64, field, reason, key, name string) {
	r.applied.Rejected = append(r.applied.Rejected, snapshot.RejectedRow{Line: line, Field: field, Reason: reason})
	r.refused.Keys, r.refused.Names = append(r.refused.Keys, key), append(r.refused.Names, name)
}

// note notes the snapshot with its run and source, so that a later one counts it.
func note(ctx context.Context, r *run) error {
	if err := r.do(ctx, "note_run", args{"run": r.RunID, "at": r.At, "complete": r.verdict.Complete, "documents": r.Documents}); err != nil {
		return err
	}
	var reported *string
	if len(r.verdict.Reported) > 0 {
		text := string(r.verdict.Reported)
		reported = &text
	}
	n, err := r.exec(ctx, "note_source", args{
		"source": r.SourceID, "now": r.Now, "complete": r.verdict.Complete, "approved": r.Approved,
		"keys": r.verdict.Keys, "reported": reported, "lists": r.Tracks, "at": r.At,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return &snapshot.HeldError{Reason: "an operator held the source while it was being read", Standing: true}
	}
	if !r.verdict.Complete {
		return nil
	}
	return r.do(ctx, "note_complete", args{"source": r.SourceID, "at": r.At, "rows": r.verdict.Rows})
}

// touchUnchanged notes that unchanged rows were seen in a snapshot that stands in no list of complete ones.
func touchUnchanged(ctx context.Context, r *run) error {
	if r.verdict.Complete || r.Imported {
		return nil
	}
	return r.do(ctx, "touch_unchanged", args{"source": r.SourceID})
}

// detectedAt is when changes are detected: by the clock of the run, where it has one.
func (r *run) detectedAt() time.Time {
	if r.Clock != nil {
		return r.Clock().UTC()
	}
	return r.now
}
