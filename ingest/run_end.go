package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river/rivertype"

	"rollcall/ingest/fetch"
	"rollcall/models/snapshot"
	"rollcall/models/source"
)

// conclude turns the end of a run into its state.
// Failures of the source, of its document and of this service are all failed runs: each has its reason in the note.
func (u *run) conclude(ctx context.Context, err error) {
	var held *snapshot.HeldError
	u.report.releases = u.source.Kind == "roster" // else parts of cases wait
	switch {
	case err == nil && u.report.Part != "":
		u.report.State, u.report.Note = source.RunPartial, strings.TrimSuffix(u.report.Part+"; "+u.report.lacks(), "; ")
	case err == nil && (u.report.Quarantined > 0 || len(u.report.Unreadable) > 0 || u.source.lists() && !u.report.Complete):
		u.report.State, u.report.Note = source.RunPartial, u.report.lacks()
	case err == nil && u.report.Older > 0 && u.report.Older == u.report.Parsed:
		u.report.Note = "all of it is older than what is known"
	case err == nil && u.report.Pending > 0:
		u.report.Note = u.report.awaits()
	case err == nil && len(u.report.Doubts) > 0:
		u.report.Note = strings.Join(u.report.Doubts, ", ")
	case err == nil:
	// Nothing was applied. Where a hold stood before, this snapshot is not what began it.
	case errors.As(err, &held):
		u.report.State, u.report.Note = source.RunHeld, u.report.first(held.Reason)
		u.standing = held.Standing || u.past().Held
		u.report.Standing = u.standing && !u.scopesHeld
	case errors.Is(err, fetch.ErrRefused):
		u.report.State, u.report.Note = source.RunRefused, err.Error()
	default:
		u.report.State, u.report.Note, u.cancelled = source.RunFailed, err.Error(), errors.Is(ctx.Err(), context.Canceled)
	}
	if u.cancelled { // what it was doing then says nothing
		u.report.Note = stoppedBy(ctx)
	}
	if err == nil && u.obscured != "" {
		u.report.Note = strings.TrimPrefix(u.report.Note+"; "+u.obscured, "; ")
	}
}

// Cancelled reports whether an operator cancelled what ctx belongs to, on the page of jobs.
func Cancelled(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), rivertype.ErrJobCancelledRemotely)
}

// stoppedBy says who stopped a run before its end.
func stoppedBy(ctx context.Context) string {
	if Cancelled(ctx) {
		return source.NoteCancelled
	}
	return "rollcall was stopped during this run"
}

// dated notes the instant that a row speaks of.
func (u *run) dated(at time.Time) {
	if at.After(u.dataAt) {
		u.dataAt = at
	}
}

// spokenOf returns the instant that the data of the run describe: that of its newest row, by the source's own stamps.
// A source that reports only changes may have nothing newer to report. Its data are as old as its rows only where they say
// nothing new, and nothing newer than was known: its files are new, and what writes them is stuck.
func (u *run) spokenOf() time.Time {
	r := u.report
	stuck := r.Parsed > 0 && r.Older+r.Unchanged == r.Parsed && (r.Older == r.Parsed || u.entry.DataAt != nil && !u.dataAt.After(*u.entry.DataAt))
	if u.dataAt.IsZero() || !u.source.lists() && !stuck {
		return u.at
	}
	return u.dataAt
}

// isScope reports whether completeness and holds are asked of the run itself, and not of its parts.
func (u *run) isScope() bool { return u.county != nil || !u.source.several() }

// finish writes the report with the run.
func (u *run) finish(ctx context.Context, header string) error {
	text, err := json.Marshal(u.report)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	note := u.report.Note
	u.Log.InfoContext(ctx, "source was read", "source", u.entry.ID, "run", u.id, "state", u.report.State, "fetched", u.report.Fetched, "new", u.report.New,
		"changed", u.report.Changed, "closed", u.report.Closed, "quarantined", u.report.Quarantined, "seconds", u.report.Seconds)
	// What the end of a run means for its source is decided in source.Row, After, in one transaction with it.
	// A snapshot that is read again makes its source as fresh as when it came.
	readAt := u.readThen
	if u.silent && u.released == nil {
		readAt = time.Time{}
	}
	failures, until := source.BackOff(u.report.State, u.entry.Failures, u.source.Schedule.Every, u.Now())
	if u.cancelled { // that is no failure of the source
		failures, until = u.entry.Failures, u.entry.NotBefore
	}
	return u.Store.FinishRun(ctx, u.id, u.entry.ID, source.RunEnd{
		State: u.report.State, At: u.Now(), SnapshotAt: u.at, DataAt: u.spokenOf(), Report: text, Note: note, HeaderFingerprint: header, Failures: failures, NotBefore: until, Standing: u.standing,
		Replay: u.replayOf != 0 || u.silent, Released: u.released != nil && u.isScope(), ReadAt: readAt, Keys: u.toldKeys, Reported: u.toldNow, Accepts: u.released != nil && !u.isScope(),
	})
}

// EndInterrupted ends the runs of processes that were killed; their sources are read again at once, and what
// they had unpacked is removed.
func (r *Runner) EndInterrupted(ctx context.Context) error {
	if err := r.directory().Sweep(ctx); err != nil {
		return fmt.Errorf("remove documents of interrupted runs: %w", err)
	}
	// A run holds a lock while it lives. One that is noted as running and whose lock is free was killed.
	sources, err := r.Store.EndInterrupted(ctx, r.Now())
	for _, id := range sources {
		r.Log.WarnContext(ctx, "run was interrupted", "source", id)
	}
	return err
}
