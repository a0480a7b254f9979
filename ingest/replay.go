package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"rollcall/ingest/fetch"
	"rollcall/ingest/raw"
	"rollcall/models"
	"rollcall/models/source"
)

// Replay reads the raw documents of an earlier run again, with the source document of today, as they
// were then: facts that are newer stay. Rows that went to the quarantine in that run and are facts now
// are resolved. The source is not asked, so how fresh it is does not change, unless the replay makes a county known: that is as
// fresh as its documents. But a replay that is held holds
// the source like any other run, unless a newer complete snapshot of it is known. Counties that were held in that run are left
// out: what was discarded stays so, and what was released is applied. Each has a run of its own, which can be replayed.
func (r *Runner) Replay(ctx context.Context, s *Source, runID int64) (*Report, error) {
	u, then, err := r.archived(ctx, s, runID)
	if err != nil {
		return nil, err
	}
	unlock, err := r.lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return r.readAgain(ctx, u, then)
}

// readAgain replays a run of a source that the caller has locked.
// What is a fact now leaves the quarantine. Where only a part was read or applied, nobody knows of which rows that is true.
func (r *Runner) readAgain(ctx context.Context, u *run, then *archived) (*Report, error) {
	report, err := r.runOnce(ctx, u, then.unpack)
	if err != nil || !report.applied() || u.only != nil || report.Part != "" || len(report.Unreadable) > 0 { // rows in quarantine have no county and no file
		return report, err
	}
	resolved, err := r.Store.ResolveQuarantine(ctx, u.replayOf, report.Run, r.Now())
	report.Resolved += resolved
	return report, err
}

// ReplayQuarantine replays every run of the source that has rows in quarantine, oldest snapshot first,
// after the source document was corrected. The report sums them; nil means that there was nothing.
func (r *Runner) ReplayQuarantine(ctx context.Context, s *Source) (*Report, error) {
	ids, err := r.Store.QuarantinedRuns(ctx, s.ID)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	total := &Report{}
	for _, id := range ids {
		report, err := r.Replay(ctx, s, id)
		if err != nil {
			return nil, err
		}
		total.add(report, len(ids))
	}
	return total, nil
}

// archived is what is kept of a run's documents.
type archived struct {
	*Runner
	source   *Source
	archives []source.Archive
	evidence fetch.Evidence
}

// archived finds the documents of a run, and what was known then of their completeness.
func (r *Runner) archived(ctx context.Context, s *Source, runID int64) (*run, *archived, error) {
	known, err := r.Store.Run(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	of, slug := models.SplitScope(known.SourceID)
	// Another source's document would read these as something else.
	if of != s.ID {
		return nil, nil, models.Invalid("run", fmt.Sprintf("run %d belongs to source %s, not to %s", runID, known.SourceID, s.ID))
	}
	archives, err := r.Store.Archives(ctx, runID)
	if err != nil {
		return nil, nil, err
	}
	// Retention deletes the documents and keeps the run, so an operator is told why nothing can be read.
	if len(archives) == 0 {
		return nil, nil, models.NotFound(fmt.Sprintf("the documents of run %d are missing (raw documents are kept for a limited time, by default 30 days)", runID))
	}
	entry, err := r.entry(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var report Report
	if len(known.Report) > 0 { // a run that was killed left none
		if err := json.Unmarshal(known.Report, &report); err != nil {
			return nil, nil, fmt.Errorf("read report of run %d: %w", runID, err)
		}
	}
	u := &run{source: s, entry: entry, replayOf: runID, readThen: known.Started, parts: map[string]*source.Run{}}
	// A run of a scope has no documents of its own: those of its source's run are read, and its rows alone are taken.
	if slug == "" {
		if u.parts, err = r.Store.Parts(ctx, runID); err != nil {
			return nil, nil, err
		}
	} else {
		u.replayOf, u.parts[known.SourceID] = *known.PartOf, known
		if u.only, err = r.Store.Counties().BySlug(slug); err != nil {
			return nil, nil, err
		}
	}
	return u, &archived{Runner: r, source: s, archives: archives, evidence: report.Transport}, nil
}

// unpack writes archived documents as they came into dir, and checks that they are the same bytes.
func (a *archived) unpack(ctx context.Context, dir string) (*fetch.Found, error) {
	found := &fetch.Found{Documents: make([]fetch.Document, len(a.archives)), Evidence: a.evidence}
	from := raw.Archive{Store: a.Store, Seal: a.Seal}
	for i, one := range a.archives {
		found.Documents[i] = fetch.Document{Name: one.Name, Path: filepath.Join(dir, fmt.Sprintf("document-%05d", i)), At: one.Observed}
		if err := from.Unpack(ctx, a.source.ID, one, found.Documents[i].Path); err != nil {
			return nil, fmt.Errorf("unpack %s: %w", one.Name, err)
		}
	}
	return found, nil
}
