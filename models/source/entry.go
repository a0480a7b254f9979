package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// Entry is what the tables know of a source document.
type Entry struct {
	ID                string        // of a scope: that of its source, a colon and the county's slug
	Parent            string        // of a scope: its source
	Title             string        // for people
	Kind              string        // roster, courts or corrections
	CountyID          *int16        // nil: each row names its county, or the source is statewide
	Interval          time.Duration // zero: no schedule
	DataInterval      time.Duration // how often it has newer data, never less than Interval; zero without a schedule: nobody knows
	Lists             bool          // it lists everybody, so some of its snapshots must be complete
	Enabled           bool          // its schedule is on
	LastSuccess       *time.Time    // when it last answered well; nil: never
	DataAt            *time.Time    // the newest instant that its data describes; nil: none
	LastComplete      *time.Time    // the instant of its newest complete snapshot; nil: none
	LastRows          *int          // of that snapshot; the next one may shrink so far
	HeaderFingerprint *string       // of the known columns; nil: none are known
	HeldSince         *time.Time    // nil: not held
	HeldRun           *int64        // whose snapshot began the hold; nil: an operator did, or nothing is held
	Keys              []string      // the names under which its rows ever had values, where there is no header; nil: nothing is known
	Reported          []byte        // which fields the rows of its last complete snapshot stated, as JSON; nil: nothing is known
	Failures          int           // runs in a row that failed or were refused
	NotBefore         *time.Time    // the schedule leaves it alone until then
}

// Scope is the entry of a county of the source.
func (e Entry) Scope(c *models.County) Entry {
	return Entry{
		ID: models.ScopeID(e.ID, c.Slug), Parent: e.ID, Title: e.Title + ", " + c.Name + " County", Kind: e.Kind, CountyID: &c.ID,
		Interval: e.Interval, DataInterval: e.DataInterval, Lists: e.Lists,
	}
}

// PutSource stores a source document, so that runs and records can refer to it, and returns e with the stored
// state. It changes neither whether the source is enabled nor its state. An id that is known with another
// kind is a models.Error on kind: records of one family cannot become those of another.
func (s *Store) PutSource(ctx context.Context, e Entry) (*Entry, error) {
	var row Row
	r := db.Raw(s.rows(ctx), statements, "put_source", pgx.StrictNamedArgs{
		"id": e.ID, "parent": e.Parent, "title": e.Title, "kind": e.Kind, "county": e.CountyID, "lists": e.Lists, "now": s.Now(),
		"interval": seconds(e.Interval), "data": seconds(max(e.Interval, e.DataInterval)),
	}).Scan(&row)
	if r.Error != nil {
		return nil, fmt.Errorf("store source %s: %w", e.ID, r.Error)
	}
	if r.RowsAffected == 0 {
		return nil, models.Invalid("kind", fmt.Sprintf("source %s is known with another kind; give the document another id", e.ID))
	}
	row.Fill(&e)
	return &e, nil
}

// KnownSource returns e with the stored state and stores nothing. It returns nil without an error if the
// source was never stored.
func (s *Store) KnownSource(ctx context.Context, e Entry) (*Entry, error) {
	var row Row
	err := s.rows(ctx).Take(&row, "id = ?", e.ID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // it was never stored
	}
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", e.ID, err)
	}
	row.Fill(&e)
	return &e, nil
}

// ScopesOfKeys returns the numbers of the counties whose scopes have claims of a source under keys. The run of a
// file calls it with the keys of rows that speak of a juvenile but cannot be taken: they may name no county, and
// are looked for in every county of the source (docs/decisions/0015-scopes.md).
func (s *Store) ScopesOfKeys(ctx context.Context, id string, keys []string) ([]int16, error) {
	counties, err := list[int16](ctx, s, "scopes_of_keys", pgx.StrictNamedArgs{"source": id, "keys": keys})
	if err != nil {
		return nil, fmt.Errorf("list scopes of %s: %w", id, err)
	}
	return counties, nil
}

// KnownKeys returns those of the keys under which a source or scope has reported somebody. The run of a source that reports only
// changes asks, to tell newcomers from the people of whom something changed.
func (s *Store) KnownKeys(ctx context.Context, id string, keys []string) ([]string, error) {
	known, err := list[string](ctx, s, "known_keys", pgx.StrictNamedArgs{"source": id, "keys": keys})
	if err != nil {
		return nil, fmt.Errorf("list known keys of %s: %w", id, err)
	}
	return known, nil
}

// seconds returns whole seconds, or nil for no duration, as the columns of intervals hold them.
func seconds(d time.Duration) *int {
	if d <= 0 {
		return nil
	}
	n := int(d / time.Second)
	return &n
}

// EnableSource switches the schedule of a source on or off. Records that it brought stay. An unknown id is
// models.ErrNoSource. Records that were taken over from another system have no schedule to switch on.
func (s *Store) EnableSource(ctx context.Context, id string, on bool) error {
	var archived int64
	if err := s.rows(ctx).Model(&Row{}).Where("id = ? and imports", id).Count(&archived).Error; err != nil {
		return failed("switch schedule", id, err)
	}
	if on && archived > 0 {
		return models.Invalid("id", "source "+id+" holds records imported from another system: it is archived and has no schedule; nothing was changed")
	}
	return failed("switch schedule", id, touched(id, s.rows(ctx).Model(&Row{}).Where("id = ?", id).Update("enabled", on)))
}

// EnabledSources returns the ids of the sources whose schedule is on, in alphabetical order.
func (s *Store) EnabledSources(ctx context.Context) (ids []string, err error) {
	if err := s.rows(ctx).Model(&Row{}).Where("enabled").Order("id").Pluck("id", &ids).Error; err != nil {
		return nil, fmt.Errorf("read enabled sources: %w", err)
	}
	return ids, nil
}
