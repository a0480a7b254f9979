package account

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
)

// SavedSearch is a search that a person comes back to. It is the GORM model of saved_searches.
type SavedSearch struct {
	ID        string    `gorm:"primaryKey"` // srch_...
	UserID    string    // whose it is: nobody else sees it
	Name      string    // what the person calls it
	Query     string    // the parameters of the address of the search
	CreatedAt time.Time `gorm:"serializer:utc"`
}

// TableName is the table of saved searches.
func (SavedSearch) TableName() string { return "saved_searches" }

// Address returns the address of the search.
func (s *SavedSearch) Address() string { return "/search?" + s.Query }

// Bounds of saved searches: how many a person has, the characters of a name, and the bytes of a query.
const (
	maxSavedSearches = 50
	maxSearchName    = 60
	maxSearchQuery   = 2000
)

// SaveSearch saves a search of a person. One with the same name is replaced.
func (s *Store) SaveSearch(ctx context.Context, userID, name, query string) error {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return models.Invalid("name", "enter a name for the search")
	case utf8.RuneCountInString(name) > maxSearchName:
		return models.Invalid("name", fmt.Sprintf("name must have at most %d characters", maxSearchName))
	case query == "" || len(query) > maxSearchQuery:
		return models.Invalid("query", "search for something first, and then save it")
	}
	row := &SavedSearch{ID: models.NewID("srch"), UserID: userID, Name: name, Query: query, CreatedAt: s.Moment()}
	err := s.rows(ctx).Transaction(func(tx *gorm.DB) error {
		// The lock makes the count exact.
		if _, err := db.One[models.User](tx.Clauses(clause.Locking{Strength: "no key update"}).Where("id = ?", userID), models.NotFound("user not found")); err != nil {
			return err
		}
		if err := tx.Where("user_id = ? and name = ?", userID, name).Delete(&SavedSearch{}).Error; err != nil {
			return err
		}
		var others int64
		if err := tx.Model(&SavedSearch{}).Where("user_id = ?", userID).Count(&others).Error; err != nil {
			return err
		}
		if others >= maxSavedSearches {
			return &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf("you have %d saved searches, which is the most; delete some first", maxSavedSearches)}
		}
		return tx.Create(row).Error
	})
	return db.Known("save search", err)
}

// SavedSearches returns the saved searches of a person, by name.
func (s *Store) SavedSearches(ctx context.Context, userID string) ([]*SavedSearch, error) {
	var found []*SavedSearch
	if err := s.rows(ctx).Where("user_id = ?", userID).Order("lower(name), id").Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list saved searches: %w", err)
	}
	return found, nil
}

// DeleteSavedSearch deletes a saved search of a person. An id of another person is CodeNotFound.
func (s *Store) DeleteSavedSearch(ctx context.Context, userID, id string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	done := s.rows(ctx).Where("user_id = ? and id = ?", userID, id).Delete(&SavedSearch{})
	if done.Error != nil {
		return fmt.Errorf("delete saved search: %w", done.Error)
	}
	if done.RowsAffected == 0 {
		return models.NotFound("saved search not found")
	}
	return nil
}
