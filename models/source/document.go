package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// Document is a version of a source document that an operator saved on a page. It is the GORM model of source_documents.
type Document struct {
	ID       int64     `gorm:"primaryKey"`
	SourceID string    // whose it is
	At       time.Time `gorm:"serializer:utc"` // when it was saved, or found
	Actor    string    // who saved it, by address; empty: it is as it was found before the first change
	Digest   string    // DocumentDigest of Text
	Text     string
}

// TableName is the table of versions of documents.
func (Document) TableName() string { return "source_documents" }

// DocumentDigest identifies a text of a document: the SHA-256 in hex.
func DocumentDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// SaveDocument keeps a version of a document, and calls write, which stores it in the data directory: both, or neither. read
// returns the text that is in force, found is the DocumentDigest of the one that the operator changed. Where these differ, the
// error is CodeConflict and says who changed it when. The row of the source is locked meanwhile, on all replicas.
func (s *Store) SaveDocument(ctx context.Context, d Document, found string, read func() (string, error), write func() error) error {
	err := s.change(ctx, d.SourceID, func(tx *gorm.DB, _ *Row) error {
		now, err := read()
		if err != nil {
			return err
		}
		last, err := lastDocument(tx, d.SourceID)
		if err != nil {
			return err
		}
		if DocumentDigest(now) != found {
			return changedMeanwhile(last, now)
		}
		d.At, d.Digest = s.Now().UTC(), DocumentDigest(d.Text)
		if d.Digest == found {
			return models.Invalid("text", "the document is the same as before; nothing was changed")
		}
		// What stood there before anybody changed it here is kept too.
		if last == nil || last.Digest != found {
			before := Document{SourceID: d.SourceID, At: d.At, Digest: found, Text: now}
			if err := tx.Create(&before).Error; err != nil {
				return err
			}
		}
		if err := tx.Create(&d).Error; err != nil {
			return err
		}
		return write()
	})
	return failed("save the document", d.SourceID, err)
}

// changedMeanwhile says who changed a document that an operator has open.
func changedMeanwhile(last *Document, now string) error {
	who := "on the server"
	if last != nil && last.Actor != "" && last.Digest == DocumentDigest(now) {
		who = "by " + last.Actor + " on " + last.At.In(models.Georgia).Format("Jan 2, 2006, 3:04 PM")
	}
	return &models.Error{Code: models.CodeConflict, Message: "the document was changed " + who + " while you had it open; nothing was saved. Below are the changes that your text makes to it. Saving again replaces it"}
}

// lastDocument returns the newest version; nil: there is none.
func lastDocument(tx *gorm.DB, sourceID string) (*Document, error) {
	var d Document
	err := tx.Where("source_id = ?", sourceID).Order("id desc").Take(&d).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // there is none
	}
	return &d, err
}

// Documents returns the versions of a document, the newest first, without their texts.
func (s *Store) Documents(ctx context.Context, sourceID string, limit int) (all []*Document, err error) {
	err = s.rows(ctx).Omit("text").Where("source_id = ?", sourceID).Order("id desc").Limit(limit).Find(&all).Error
	if err != nil {
		return nil, fmt.Errorf("list documents of %s: %w", sourceID, err)
	}
	return all, nil
}

// Document returns a version of a document of a source, and the one before it; nil: it is the first.
func (s *Store) Document(ctx context.Context, sourceID string, id int64) (d, before *Document, err error) {
	var found []*Document
	if err := s.rows(ctx).Where("source_id = ? and id <= ?", sourceID, id).Order("id desc").Limit(2).Find(&found).Error; err != nil {
		return nil, nil, fmt.Errorf("read a document of %s: %w", sourceID, err)
	}
	if len(found) == 0 || found[0].ID != id {
		return nil, nil, models.NotFound("version not found")
	}
	if len(found) == 2 {
		before = found[1]
	}
	return found[0], before, nil
}
