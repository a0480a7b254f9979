package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Matching is one transaction in which open changes become events. Its methods are called in the
// order in which they stand here.
type Matching struct {
	store *Store
	tx    pgx.Tx
	rows  *gorm.DB // of the same transaction
	now   time.Time
}

// MatchChanges takes up to limit open changes, oldest first, calls fn with them, and marks them as
// matched: all in one transaction, which fn's error undoes. Several may run at once: each takes
// changes that no other holds; what takes something back waits until all that happened to the record
// before is matched. It gives the number of changes taken; 0 when none is open.
func (s *Store) MatchChanges(ctx context.Context, limit int, fn func(context.Context, *Matching, []*models.Change) error) (int, error) {
	taken := 0
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		m := &Matching{store: s, tx: tx.Pgx(), rows: tx.Gorm(), now: s.Now().UTC()}
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
		_, err = m.tx.Exec(ctx, `update changes set matched_at = $2 where id = any($1)`, ids, m.now)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("match changes: %w", err)
	}
	return taken, nil
}

func (m *Matching) open(ctx context.Context, limit int) ([]*models.Change, error) {
	rows, err := m.tx.Query(ctx, `select c.id, c.kind, c.detected_at, c.source_id, b.watcher_rev, c.rid, coalesce(c.record_id, ''), c.county_id, coalesce(c.name, ''), c.dob, c.birth_year,
  coalesce(c.booked_at, c.detected_at), c.released_at, coalesce(c.charges, '{}'), c.bond_cents, c.old_name, c.old_dob, c.old_birth_year, c.retracts,
  coalesce((select `+db.SealedBooking+` from bookings sb where sb.rid = c.rid), false)
 from changes c join change_batches b on b.id = c.batch_id
 where c.matched_at is null and (c.kind not in ('retraction', 'sealed') or not exists (select from changes r where r.rid = c.rid and r.id < c.id and r.matched_at is null))
 order by c.id limit $1 for update of c skip locked`, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, m.store.scanChange)
}

func (s *Store) scanChange(row pgx.CollectableRow) (*models.Change, error) {
	var (
		c                       models.Change
		county, birth, oldBirth *int16
		oldName                 *string
		old                     models.OldIdentity
	)
	err := row.Scan(&c.ID, &c.Kind, &c.DetectedAt, &c.SourceID, &c.WatcherRev, &c.RID, &c.RecordID, &county, &c.Name, &c.Dob, &birth,
		&c.BookedAt, &c.ReleasedAt, &c.Charges, &c.BondCents, &oldName, &old.Dob, &oldBirth, &c.Retracts, &c.Withheld)
	if err != nil {
		return nil, err
	}
	c.DetectedAt, c.BirthYear = c.DetectedAt.UTC(), db.Year(birth)
	if county != nil {
		c.County = s.Counties().ByID(*county)
	}
	if oldName != nil {
		old.Name, old.BirthYear = *oldName, db.Year(oldBirth)
		c.Old = &old
	}
	return &c, nil
}

// Watchers gives those that ids name and that are not deleted, by id, paused ones too. They stay so until
// the transaction ends: whoever deletes or pauses one waits, and then cancels what this transaction made.
func (m *Matching) Watchers(ctx context.Context, ids []string) (map[string]*models.Watcher, error) {
	rows, err := m.tx.Query(ctx, `select `+watcherColumns+` from watchers w where w.id = any($1) and w.deleted_at is null order by w.id for share`, ids)
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*models.Watcher, error) { return m.store.scanWatcher(row) })
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	out := make(map[string]*models.Watcher, len(found))
	for _, w := range found {
		out[w.ID] = w
	}
	return out, nil
}

// ToldOf gives whom the changes that retractions take back were told, and, for records that are not
// public any more, whom anything of them, or of records merged into them, was told: once for each watcher and change, the newest event.
func (m *Matching) ToldOf(ctx context.Context, changeIDs []int64) ([]models.Told, error) {
	rows, err := m.tx.Query(ctx, `with told as (
  select c.id as change, e.id as event from changes c join events e on e.change_id = c.retracts where c.id = any($1) and c.kind = 'retraction'
  union all
  select c.id, e.id from changes c join events e on e.rid = c.rid where c.id = any($1) and c.kind = 'sealed' and e.kind <> 'sealed'
  union all
  select c.id, e.id from changes c join merged_records m on m.family = 'roster' and m.record = c.rid join bookings g on g.id = m.id
   join events e on e.rid = g.rid where c.id = any($1) and c.kind = 'sealed' and e.kind <> 'sealed'
 ) select distinct on (t.change, e.watcher_id) t.change, e.watcher_id, e.id, e.hit_id, e.kind, e.at, e.probability, e.reasons
 from told t join events e on e.id = t.event where e.watcher_id is not null order by t.change, e.watcher_id, e.seq desc`, changeIDs)
	if err != nil {
		return nil, fmt.Errorf("read who was told: %w", err)
	}
	told, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.Told])
	if err != nil {
		return nil, fmt.Errorf("read who was told: %w", err)
	}
	return told, nil
}
