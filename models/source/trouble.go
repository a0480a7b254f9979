package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// Trouble is what began the present trouble of a source, or of one county of it, however many runs came after.
type Trouble struct {
	Source string             // id of the source or scope
	County *models.County     // of a scope; nil: the trouble is the whole source's
	State  models.SourceState // late, down, held or refused
	Run    int64              // the run that began it; 0: no run did, as when an operator held the source or nothing new came
	At     time.Time          // when it began; zero: the source was never read well
	Files  []string           // names of the documents of that run; empty: none was read, or they are not archived any more
	Reason string             // no personal data
}

// Troubles returns what began the troubles of a source and of its counties, the oldest first; empty where all is well. src is
// assessed, with its scopes.
func (s *Store) Troubles(ctx context.Context, src *models.Source) ([]Trouble, error) {
	all := []Trouble{}
	for _, of := range append([]*models.Source{src}, src.Scopes...) {
		if of.OwnState() == models.SourceOK || of.HeldAbove() || of.RetiredAt != nil {
			continue
		}
		t, err := s.troubleOf(ctx, of)
		if err != nil {
			return nil, err
		}
		all = append(all, *t)
	}
	slices.SortStableFunc(all, func(a, b Trouble) int { return a.At.Compare(b.At) })
	return all, nil
}

// troubleOf returns what began the trouble of a source or scope.
func (s *Store) troubleOf(ctx context.Context, src *models.Source) (*Trouble, error) {
	t := &Trouble{Source: src.ID, State: src.OwnState()}
	if src.Parent != "" {
		t.County = src.County
	}
	if src.Note != nil {
		t.Reason = *src.Note
	}
	run, err := s.begunBy(ctx, src)
	switch {
	case err != nil:
		return nil, err
	case src.HeldSince != nil:
		t.At = *src.HeldSince
	case run != nil:
		t.At = run.Started
	case src.BehindSince() != nil:
		t.At = *src.BehindSince()
	}
	if run == nil {
		return t, nil
	}
	t.Run = run.ID
	if run.Note != nil {
		t.Reason = *run.Note
	}
	var report struct{ Files []string }
	if len(run.Report) > 0 { // a run that was killed left none
		if err := json.Unmarshal(run.Report, &report); err != nil {
			return nil, fmt.Errorf("read report of run %d: %w", run.ID, err)
		}
	}
	documents, err := s.Archives(ctx, run.ID)
	for _, d := range documents {
		if len(report.Files) == 0 || slices.Contains(report.Files, d.Name) { // of a county, those alone that have rows of it
			t.Files = append(t.Files, d.Name)
		}
	}
	return t, err
}

// begunBy returns the run that began the trouble of a source: the one that is held, else the first that failed or was refused
// since a run went well; nil when there is none.
func (s *Store) begunBy(ctx context.Context, src *models.Source) (*Run, error) {
	if src.HeldSince != nil && src.HeldRun == nil {
		return nil, nil
	}
	read := s.rows(ctx).Model(&Run{}).Where("source_id = ? and replay_of is null", src.ID)
	well := read.Session(&gorm.Session{}).Where("state in ?", []RunState{RunOK, RunPartial}).Select("coalesce(max(id), 0)")
	failed := read.Session(&gorm.Session{}).Where("state in ? and id > (?)", []RunState{RunFailed, RunRefused}, well)
	if src.HeldRun != nil {
		failed = s.rows(ctx).Where("id = ?", *src.HeldRun)
	}
	var r Run
	err := failed.Order("id").Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find what began the trouble of %s: %w", src.ID, err)
	}
	return &r, nil
}

// filesNamed is how many documents FilesText names.
const filesNamed = 3

// FilesText names the first documents of the run, and says how many more there are.
func (t *Trouble) FilesText() string {
	if len(t.Files) <= filesNamed {
		return strings.Join(t.Files, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(t.Files[:filesNamed], ", "), len(t.Files)-filesNamed)
}
