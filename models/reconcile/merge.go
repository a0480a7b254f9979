package reconcile

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// MergeBookings makes two bookings of one county one: gone is published no more, its id resolves to
// kept from now on, and what its sources say next is said of kept. Earlier merges into gone follow.
func (s *Store) MergeBookings(ctx context.Context, kept, gone string) error {
	return s.merge(ctx, models.Roster, kept, gone, `select rid, county_id::text from bookings where id = $1 and withheld is null for update`,
		// What each source told last of its own booking is not what it says of the other one's facts.
		`update sightings g set told = `+wordOfBooking+` from bookings b where b.rid = g.rid and g.rid in (@kept, @gone) and not b.imported and `+alone,
		// By an operator's word no key goes apart again, whatever is told together.
		`update sightings set rid = @kept, joined = null, merged_at = case when rid = @gone then coalesce(merged_at, @now) else merged_at end where rid = @gone or rid = @kept and joined is not null`,
		`update gdc_links set rid = @kept where rid = @gone and not exists (select from gdc_links where rid = @kept)`,
		`delete from gdc_links where rid = @gone`,
		`update court_links g set rid = @kept where rid = @gone and not exists (select from court_links k where k.rid = @kept and k.case_id = g.case_id)`,
		`delete from court_links where rid = @gone`)
}

// merge finds both records and runs steps in one transaction, with the arguments kept, gone (keys), now and
// gen; then it ends gone. Both keep their versions, and what the merge changes of kept is a version too.
func (s *Store) merge(ctx context.Context, f models.Family, kept, gone, find string, steps ...string) error {
	if kept == gone {
		return models.Invalid("id", "the two ids are the same")
	}
	return s.InTx(ctx, func(tx pgx.Tx) error {
		gen, err := db.NextGeneration(ctx, tx, f)
		if err != nil {
			return err
		}
		var keys [2]int64
		var places [2]string
		for i, id := range []string{kept, gone} {
			err := tx.QueryRow(ctx, find, id).Scan(&keys[i], &places[i])
			if errors.Is(err, pgx.ErrNoRows) {
				return models.NotFound("there is no record " + id + " to merge")
			}
			if err != nil {
				return fmt.Errorf("find %s to merge: %w", id, err)
			}
		}
		if places[0] != places[1] {
			return models.Invalid("id", "the two records are of different counties")
		}
		args := pgx.NamedArgs{"kept": keys[0], "gone": keys[1], "now": s.Now().UTC(), "gen": gen, "family": f, "id": gone}
		for _, sql := range append(steps, mergeEnd(db.RecordTables[f])...) {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return fmt.Errorf("merge %s into %s: %w", gone, kept, err)
			}
		}
		return nil
	})
}

// mergeEnd are the steps of each merge: kept is as old as the older of both, gone is published no more, and
// its id leads to kept, as do those that led to gone.
func mergeEnd(t db.RecordTable) []string {
	named := strings.NewReplacer("{table}", t.Name, "{key}", t.Key)
	steps := []string{
		`insert into record_changes (family, record, at, source_id, field, before, after)
 select @family::text, k.{key}, @now, k.source_id, v.field, v.before, v.after from {table} k join {table} g on g.{key} = @gone
 cross join lateral (values ('` + models.FirstSeenField + `', instant(k.first_seen), instant(least(k.first_seen, g.first_seen))), ('` + models.MergedField + `', null, @id::text)) v (field, before, after)
 where k.{key} = @kept and v.before is distinct from v.after`,
		`update {table} k set first_seen = least(k.first_seen, g.first_seen), last_seen = greatest(k.last_seen, g.last_seen), known_at = coalesce(k.known_at, k.first_seen), last_change = @now, gen = @gen
 from {table} g where k.{key} = @kept and g.{key} = @gone`,
		`insert into record_changes (family, record, at, source_id, field, before, after) select @family::text, {key}, @now, source_id, '` + models.WithheldField + `', withheld, '` + models.Merged + `' from {table} where {key} = @gone`,
		`update {table} set withheld = '` + models.Merged + `', last_change = @now, gen = @gen where {key} = @gone`,
		`update merged_records set record = @kept where family = @family and record = @gone`,
		`insert into merged_records (family, id, record, merged_at, gone, into_record) values (@family, @id, @kept, @now, @gone, @kept)
 on conflict (family, id) do update set record = excluded.record, merged_at = excluded.merged_at, into_record = excluded.into_record`,
	}
	for i, sql := range steps {
		steps[i] = named.Replace(sql)
	}
	return steps
}
