package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
)

// Incident is something that operators say went wrong with the service. Anybody may read it. It is the GORM model of
// incidents.
type Incident struct {
	ID      string           `gorm:"primaryKey" json:"id"` // inc_...
	Title   string           `json:"title"`
	BeganAt time.Time        `gorm:"serializer:utc" json:"began_at"`
	EndedAt *time.Time       `gorm:"serializer:utc" json:"ended_at"` // nil: it goes on
	Updates []IncidentUpdate `gorm:"foreignKey:IncidentID" json:"updates"`
}

// TableName is the table of incidents.
func (Incident) TableName() string { return "incidents" }

// IncidentUpdate is what was said of an incident at a moment. It is the GORM model of incident_updates.
type IncidentUpdate struct {
	ID         int64     `gorm:"primaryKey" json:"-"`
	IncidentID string    `json:"-"`
	At         time.Time `gorm:"serializer:utc" json:"at"`
	Text       string    `json:"text"`
}

// TableName is the table of updates.
func (IncidentUpdate) TableName() string { return "incident_updates" }

// IncidentsFor is how long an incident that ended is shown.
const IncidentsFor = 90 * 24 * time.Hour

// ErrNoIncident is CodeNotFound: no incident has the id.
var ErrNoIncident = models.NotFound("incident not found")

// NewIncident is the incident that OpenIncident would begin now. title has at most 120 characters and text at most 1,000; otherwise the
// error is CodeInvalidParameter.
func (s *Store) NewIncident(title, text string) (*Incident, error) {
	title, err := said("title", title, 120)
	if err != nil {
		return nil, err
	}
	if text, err = said("text", text, 1000); err != nil {
		return nil, err
	}
	now := s.Now().UTC()
	return &Incident{ID: models.NewID("inc"), Title: title, BeganAt: now, Updates: []IncidentUpdate{{At: now, Text: text}}}, nil
}

// OpenIncident begins an incident now, as NewIncident has it.
func (s *Store) OpenIncident(ctx context.Context, title, text string) (*Incident, error) {
	i, err := s.NewIncident(title, text)
	if err != nil {
		return nil, err
	}
	if err := s.rows(ctx).Create(i).Error; err != nil {
		return nil, fmt.Errorf("open incident: %w", err)
	}
	return i, nil
}

// UpdateIncident says more of an incident that goes on, and returns it; ended ends it. One that has ended is CodeConflict.
func (s *Store) UpdateIncident(ctx context.Context, id, text string, ended bool) (*Incident, error) {
	text, err := said("text", text, 1000)
	if err != nil {
		return nil, err
	}
	now := s.Now().UTC()
	var i Incident
	err = s.rows(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).First(&i, "id = ?", id).Error
		switch {
		case errors.Is(err, gorm.ErrRecordNotFound):
			return ErrNoIncident
		case err != nil:
			return err
		case i.EndedAt != nil:
			return &models.Error{Code: models.CodeConflict, Message: "this incident has ended; open another one"}
		}
		if err := tx.Create(&IncidentUpdate{IncidentID: id, At: now, Text: text}).Error; err != nil || !ended {
			return err
		}
		return tx.Model(&i).Update("ended_at", now).Error
	})
	var theirs *models.Error
	switch {
	case err == nil:
		return &i, nil
	case errors.As(err, &theirs):
		return nil, err
	}
	return nil, fmt.Errorf("update incident: %w", err)
}

// Incidents returns the incidents that go on and those that ended in the last IncidentsFor: the former first, each
// newest first. There are at most 100.
func (s *Store) Incidents(ctx context.Context) ([]*Incident, error) {
	all := []*Incident{}
	err := s.rows(ctx).Where("ended_at is null or ended_at > ?", s.Now().Add(-IncidentsFor)).
		Preload("Updates", func(q *gorm.DB) *gorm.DB { return q.Order("id") }).
		Order("ended_at is not null, began_at desc, id desc").Limit(100).Find(&all).Error
	if err != nil {
		return nil, fmt.Errorf("list incidents: %w", err)
	}
	return all, nil
}

// said returns a text that operators publish, which must not be empty.
func said(field, text string, most int) (string, error) {
	text, err := models.NameText(field, text, most)
	if err == nil && text == "" {
		err = models.Invalid(field, field+" is empty: say what went wrong, without naming a person")
	}
	return text, err
}
