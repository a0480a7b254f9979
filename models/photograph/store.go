// Package photograph stores what sources name as photographs, which pictures are kept, which photographs people asked to have
// removed, and what the verifier found.
//
// A booking has a photograph because one of its claims has one: package claim writes that, and decides whose may be taken
// (Photographables) and kept (EndPhotographs). The pictures themselves lie in photo/vault. It is not for bringing them: that is
// ingest/photograph.
package photograph

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

var statements = sqlfile.Load(files)

// Statements are the named statements of the package, for tests that check each on a database.
func Statements() sqlfile.Set { return statements }

// Store reads and writes photographs. It is safe for concurrent use.
type Store struct {
	*db.DB
	needs Needs
	lost  atomic.Int64 // pictures that were found missing
}

// Needs is what a Store takes from other packages, which it does not import.
type Needs struct {
	// Find returns the family and the keys of a record and of those that were merged into it, the one that stayed first, by the
	// public id of any of them, and that id as answers have it.
	Find func(ctx context.Context, id string) (family models.Family, records []int64, plain string, err error)
	// Remove takes the photographs of a record away.
	Remove func(ctx context.Context, family models.Family, record int64) error
	// Lose takes a picture away from all claims of a family, and returns how many had it.
	Lose func(ctx context.Context, family models.Family, hash string) (int, error)
}

// New returns a Store over d.
func New(d *db.DB, needs Needs) *Store { return &Store{DB: d, needs: needs} }

func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// PhotographSources returns the ids of the sources of which photographs are known or kept.
func (s *Store) PhotographSources(ctx context.Context) (ids []string, err error) {
	if err = db.Raw(s.rows(ctx), statements, "sources", nil).Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("list sources of photographs: %w", err)
	}
	return ids, nil
}

// SourcesToNote returns the ids of the sources with a run whose rows were not looked at.
func (s *Store) SourcesToNote(ctx context.Context) (ids []string, err error) {
	if err = db.Raw(s.rows(ctx), statements, "sources_to_note", nil).Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("list sources to look at: %w", err)
	}
	return ids, nil
}

// RunToNote is a run whose rows are to be looked at for photographs.
type RunToNote struct {
	ID        int64
	Documents int64 // the run that has the documents
}

// RunsToNote returns the finished runs of a source that were not looked at, oldest first.
func (s *Store) RunsToNote(ctx context.Context, source string) (list []RunToNote, err error) {
	if err = db.Raw(s.rows(ctx), statements, "runs_to_note", pgx.StrictNamedArgs{"source": source}).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("list runs of %s to look at: %w", source, err)
	}
	return list, nil
}

// NoteRun stores that the rows of a run were looked at.
func (s *Store) NoteRun(ctx context.Context, source string, run int64) error {
	err := s.rows(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&Progress{SourceID: source, RunID: run}).Error
	if err != nil {
		return fmt.Errorf("note run %d: %w", run, err)
	}
	return nil
}

// References returns what is known under some keys of a source, by key.
func (s *Store) References(ctx context.Context, source string, keys []string) (map[string]*Reference, error) {
	var list []*Reference
	if err := s.rows(ctx).Where("source_id = ? and key in ?", source, keys).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read photographs of %s: %w", source, err)
	}
	out := make(map[string]*Reference, len(list))
	for _, r := range list {
		out[r.Key] = r
	}
	return out, nil
}

// PutReferences stores references, in place of those under the same keys.
func (s *Store) PutReferences(ctx context.Context, list []*Reference) error {
	if len(list) == 0 {
		return nil
	}
	if err := s.rows(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(list).Error; err != nil {
		return fmt.Errorf("store photographs: %w", err)
	}
	return nil
}

// DropReferences forgets what was named under some keys of a source.
func (s *Store) DropReferences(ctx context.Context, source string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	if err := s.rows(ctx).Where("source_id = ? and key in ?", source, keys).Delete(&Reference{}).Error; err != nil {
		return fmt.Errorf("forget photographs of %s: %w", source, err)
	}
	return nil
}

// DropStale forgets the references whose pictures were taken away.
func (s *Store) DropStale(ctx context.Context) error {
	if _, err := db.Exec(s.rows(ctx), statements, "stale_references", nil); err != nil {
		return fmt.Errorf("forget photographs: %w", err)
	}
	return nil
}

// DueSources returns the sources of which photographs are due at an instant.
func (s *Store) DueSources(ctx context.Context, now time.Time) (ids []string, err error) {
	if err = db.Raw(s.rows(ctx), statements, "due_sources", pgx.StrictNamedArgs{"now": now}).Scan(&ids).Error; err != nil {
		return nil, fmt.Errorf("list photographs that are due: %w", err)
	}
	return ids, nil
}

// Due returns up to limit photographs of a source that are due, those that wait longest first.
func (s *Store) Due(ctx context.Context, source string, now time.Time, limit int) (list []*Reference, err error) {
	err = s.rows(ctx).Where("source_id = ? and due_at <= ?", source, now).Order("due_at, key").Limit(limit).Find(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list photographs of %s that are due: %w", source, err)
	}
	return list, nil
}

// Count is how many photographs of a source are in a state.
type Count struct {
	SourceID string        `json:"source"`
	Family   models.Family `json:"family"`
	State    State         `json:"state"`
	Reason   string        `json:"reason"` // empty: none
	N        int           `json:"count"`
}

// Word returns the reason as people say it.
func (c Count) Word() string { return strings.ReplaceAll(c.Reason, "_", " ") }

// PhotographCounts counts photographs by source, state and reason.
func (s *Store) PhotographCounts(ctx context.Context) (list []Count, err error) {
	list = []Count{}
	if err = db.Raw(s.rows(ctx), statements, "counts", nil).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("count photographs: %w", err)
	}
	return list, nil
}

// PhotographOf returns the photograph of a published booking by its key: that of the source that said something of it last. A
// booking without one, and one that may not be shown, is CodeNotFound.
func (s *Store) PhotographOf(ctx context.Context, rid int64) (*Shown, error) {
	var p Shown
	err := s.rows(ctx).Where("rid = ?", rid).Order("said_at desc, source_id").Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, models.NotFound("this booking has no photograph")
	}
	if err != nil {
		return nil, fmt.Errorf("read photograph: %w", err)
	}
	return &p, nil
}

// PhotographsOf returns the photographs of published bookings by their keys. Bookings without one are left out.
func (s *Store) PhotographsOf(ctx context.Context, rids []int64) (map[int64]*Shown, error) {
	var list []*Shown
	if err := s.rows(ctx).Where("rid in ?", rids).Order("said_at, source_id desc").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read photographs: %w", err)
	}
	out := make(map[int64]*Shown, len(list))
	for _, p := range list { // the last one is that of the source that said something last
		out[p.RID] = p
	}
	return out, nil
}
