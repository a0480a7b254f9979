package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
)

// Matching is one transaction in which open changes become events. Its methods are called in the order in
// which they stand here, by one goroutine.
type Matching struct {
	store *Store
	tx    pgx.Tx
	rows  *gorm.DB // of the same transaction
	// now is the same instant for all that the transaction writes.
	now time.Time
}

// MatchChanges takes up to limit open changes, oldest first, calls fn with them, and marks them as matched: all
// in one transaction, which an error of fn undoes. Several may run at once, as each takes changes that no other
// holds. What takes something back (a retraction, a withheld record) waits until all earlier changes of its
// record are matched, because it goes to those who were notified of them. It returns the number of changes
// taken, and 0 when none is open.
func (s *Store) MatchChanges(ctx context.Context, limit int, fn func(context.Context, *Matching, []*models.Change) error) (int, error) {
	taken := 0
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		m := &Matching{store: s, tx: tx.Pgx(), rows: tx.Gorm(), now: s.Moment()}
		changes, err := m.open(ctx, limit)
		if err != nil || len(changes) == 0 {
			return err
		}
		taken = len(changes)
		if err := fn(ctx, m, changes); err != nil {
			return err
		}
		ids := make([]int64, len(changes))
		for i, c := range changes {
			ids[i] = c.ID
		}
		_, err = m.tx.Exec(ctx, statements.Get("mark_matched"), pgx.NamedArgs{"ids": ids, "now": m.now})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("match changes: %w", err)
	}
	return taken, nil
}

// openChange is a row of the statement open_changes. RID and CountyID are nil for a change of a source.
type openChange struct {
	ID         int64
	Kind       models.EventKind
	DetectedAt time.Time
	SourceID   string
	// WatcherRev is the newest revision of watchers when the change was committed. Later watchers do not see
	// the change.
	WatcherRev int64
	RID        *int64
	RecordID   string
	CountyID   *int16
	Name       string
	Dob        *models.Date
	BirthYear  *int
	BookedAt   time.Time
	ReleasedAt *time.Time
	Charges    []string
	BondCents  *int64
	// OldName is set if the change corrects who the person is; then the other two hold what was known, if
	// anything.
	OldName      *string
	OldDob       *models.Date
	OldBirthYear *int
	// Either says that the change is more than the correction.
	Either bool
	// Retracts is the id of the change that this one takes back.
	Retracts *int64
	// Withheld reports whether the record must not be published any more.
	Withheld bool
}

// open takes open changes. Rows that another process holds are skipped, not waited for.
func (m *Matching) open(ctx context.Context, limit int) ([]*models.Change, error) {
	rows, err := collect[openChange](ctx, m.tx, "open_changes", pgx.NamedArgs{
		"last": []models.EventKind{models.EventRetraction, models.EventWithheld}, "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return m.store.changesOf(rows), nil
}

// changesOf returns rows of changes as the matcher takes them.
func (s *Store) changesOf(rows []openChange) []*models.Change {
	all := make([]*models.Change, len(rows))
	for i, r := range rows {
		c := &models.Change{
			ID: r.ID, Kind: r.Kind, DetectedAt: r.DetectedAt.UTC(), SourceID: r.SourceID, WatcherRev: r.WatcherRev,
			RID: r.RID, RecordID: r.RecordID, Name: r.Name, Dob: r.Dob, BirthYear: r.BirthYear, BookedAt: r.BookedAt, ReleasedAt: r.ReleasedAt,
			Charges: r.Charges, BondCents: r.BondCents, Either: r.Either, Retracts: r.Retracts, Withheld: r.Withheld,
		}
		if r.CountyID != nil {
			c.County = s.Counties().ByID(*r.CountyID)
		}
		if r.OldName != nil {
			c.Old = &models.OldIdentity{Name: *r.OldName, Dob: r.OldDob, BirthYear: r.OldBirthYear}
		}
		all[i] = c
	}
	return all
}

// Watchers returns those watchers that ids name and that are not deleted, by id, paused ones too. Those of an account
// that is suspended or no longer Enterprise are left out. Watchers and accounts cannot change until the transaction ends:
// a request that deletes or pauses a watcher waits, as does a suspension, and then cancels what this transaction made.
func (m *Matching) Watchers(ctx context.Context, ids []string) (map[string]*models.Watcher, error) {
	accounts, err := collect[entitledAccount](ctx, m.tx, "entitled_accounts", pgx.NamedArgs{"watchers": ids})
	if err != nil {
		return nil, fmt.Errorf("read accounts of watchers: %w", err)
	}
	entitled := make(map[string]bool, len(accounts))
	for _, a := range accounts {
		entitled[a.ID] = true
	}
	var found []*models.Watcher
	err = m.rows.WithContext(ctx).Clauses(shared).Where("id = any (?) and deleted_at is null", column.Array[string](ids)).Order("id").Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	out := make(map[string]*models.Watcher, len(found))
	for _, w := range found {
		if entitled[w.AccountID] {
			out[w.ID] = w
		}
	}
	return out, nil
}

// entitledAccount is a row of the statement entitled_accounts.
type entitledAccount struct{ ID string }

// BeginAnew makes all watchers of an account see only what is detected from then on, as after a pause.
func BeginAnew(ctx context.Context, tx pgx.Tx, accountID string) error {
	if _, err := tx.Exec(ctx, statements.Get("begin_anew"), pgx.NamedArgs{"account": accountID}); err != nil {
		return fmt.Errorf("begin watchers anew: %w", err)
	}
	return nil
}

// NotifiedOf returns who was notified of what must be taken back: of the change that a retraction withdraws, and
// for a record that is withheld now, of any change of it or of records that were merged into it. Each watcher
// appears once a change, with its newest event.
func (m *Matching) NotifiedOf(ctx context.Context, changeIDs []int64) ([]models.Notified, error) {
	return notifiedOf(ctx, m.tx, changeIDs)
}

// notifiedOf is NotifiedOf in any transaction.
func notifiedOf(ctx context.Context, tx pgx.Tx, changeIDs []int64) ([]models.Notified, error) {
	told, err := collect[models.Notified](ctx, tx, "notified_of", pgx.NamedArgs{
		"changes": changeIDs, "retraction": models.EventRetraction, "withheld": models.EventWithheld,
	})
	if err != nil {
		return nil, fmt.Errorf("read which watchers were notified: %w", err)
	}
	return told, nil
}
