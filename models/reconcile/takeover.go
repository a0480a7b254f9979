package reconcile

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
)

var stagedImport = append([]string{"id"}, stagedRoster...)

// ImportBookings takes bookings over with their ids, in one transaction. What is known by id stays as
// it is, so a second import changes nothing. New ids of a county and year go on above the highest.
func (s *Store) ImportBookings(ctx context.Context, r models.Reconciler, rows iter.Seq2[*models.ImportedBooking, error]) (models.Applied, error) {
	create := strings.Replace(rosterStaging, "staged (", "staged ( id text collate \"C\",", 1)
	highest := sequences{}
	applied, _, err := s.reconcile(ctx, r, models.Roster, create, stagedImport, importValues(rows, s.Counties(), highest), func(ctx context.Context, st *staging) error {
		if err := st.bulk(ctx, func(ctx context.Context) error { return st.importBookings(ctx, highest) }, "bookings"); err != nil {
			return err
		}
		return st.resealImported(ctx)
	})
	return applied, err
}

// sequences are the highest sequence numbers of ids, by county and year.
type sequences map[[2]int16]int64

// note reads the sequence number of an id of the shape {county-slug}-{year}-{sequence}; other ids have none.
func (s sequences) note(county *models.County, id string) {
	rest, ok := strings.CutPrefix(id, county.Slug+"-")
	year, number, dashed := strings.Cut(rest, "-")
	y, err1 := strconv.ParseInt(year, 10, 16)
	n, err2 := strconv.ParseInt(number, 10, 64)
	if key := [2]int16{county.ID, int16(y)}; ok && dashed && len(year) == 4 && err1 == nil && err2 == nil && n > s[key] {
		s[key] = n
	}
}

func (s sequences) lists() (counties, years []int16, last []int64) {
	for key, n := range s {
		counties, years, last = append(counties, key[0]), append(years, key[1]), append(last, n)
	}
	return counties, years, last
}

func importValues(rows iter.Seq2[*models.ImportedBooking, error], counties *models.Counties, highest sequences) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var ord int64
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			ord++
			highest.note(counties.ByID(r.CountyID), r.ID)
			c := rosterCharges(r.Charges)
			values := []any{
				r.ID, ord, r.ID, nil, nil, r.CountyID, r.Name, match.SearchKey(r.Name), r.DOB, nilIfZero(r.BirthYear),
				r.BookedAt, r.ReleasedAt, r.ReleaseInferred, r.PlannedRelease, c.descriptions, r.BondCents, models.NilIfEmpty(r.Withheld),
				r.SeenAt, r.Line, nil, nil, nil, nil, nil, nil, false, false, nil, nil, false, nil, nil,
			}
			if !yield(values, nil) {
				return
			}
		}
	}
}

func (st *staging) importBookings(ctx context.Context, highest sequences) (err error) {
	st.applied.Repeated, err = st.count(ctx, "drop repeated ids", `delete from staged s using (select id, min(ord) as kept from staged group by id having count(*) > 1) d where d.id = s.id and s.ord <> d.kept`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "match known ids", `create temp table known on commit drop as select s.ord, b.rid, true as same, false as away, false as older, null::timestamptz as joined, null::timestamptz as merged, false as grows, false as mute
 from staged s join bookings b on b.id = s.id`)
	if err != nil {
		return err
	}
	if err := st.tally(ctx); err != nil {
		return err
	}
	if err := st.sealAlike(ctx); err != nil {
		return err
	}
	st.applied.New, err = st.count(ctx, "insert bookings", `insert into bookings (id, county_id, source_id, name, name_key, dob, birth_year, booked_at, released_at, release_inferred,
  planned_release, charges, bond_cents, imported, withheld, sealed_by, sealed_case, first_seen, last_seen, known_at, last_change, gen)
 select s.id, s.county_id, $1, s.name, s.name_key, s.dob, s.birth_year, s.booked_at, s.released_at, s.release_inferred, s.planned_release, s.charges, s.bond_cents, true, s.withheld, s.sealed_by, s.sealed_case, $2, $2, $2, $2, $3
 from staged s order by s.ord on conflict (id) do nothing`, st.SourceID, st.Now, st.applied.Generation)
	if err != nil {
		return err
	}
	st.applied.Unchanged = st.applied.Rows - st.applied.Repeated - st.applied.New
	counties, years, last := highest.lists()
	err = st.exec(ctx, "go on above the highest ids", `insert into roster_sequences as q (county_id, year, last)
 select * from unnest($1::smallint[], $2::smallint[], $3::bigint[]) order by 1, 2 on conflict (county_id, year) do update set last = greatest(q.last, excluded.last)`, counties, years, last)
	if err != nil {
		return err
	}
	if err := st.tx.QueryRow(ctx, `select count(*) from staged where withheld is not null`).Scan(&st.applied.Withheld); err != nil {
		return fmt.Errorf("count withheld: %w", err)
	}
	return st.exec(ctx, "note counties", `insert into source_counties (source_id, county_id) select $1, county_id from staged group by county_id on conflict do nothing`, st.SourceID)
}

// resealImported withholds what others tell of the juveniles that were taken over, as resealBookings does for a snapshot.
func (st *staging) resealImported(ctx context.Context) error {
	var rids []int64
	err := st.tx.QueryRow(ctx, `select coalesce(array_agg(rid), '{}') from bookings where withheld in `+juveniles+` and sealed_by is null and source_id = $1 and gen = $2`,
		st.SourceID, st.applied.Generation).Scan(&rids)
	if err != nil {
		return fmt.Errorf("find bookings that were withheld: %w", err)
	}
	return st.followBookings(ctx, rids, nil)
}

// importedProbability is what a link's word is worth where the system that is taken over gave no number.
const importedProbability = `case l.confidence when 'high' then 0.99 when 'medium' then 0.9 else 0.5 end`

// ImportLinks takes links over as confirmed ones: a relink does not touch them, and they take the place
// of what matching found before. A pair that an operator dismissed stays apart. Links whose booking or
// corrections record is not known are rejected with their line.
func (s *Store) ImportLinks(ctx context.Context, now time.Time, rows iter.Seq2[*models.ImportedLink, error]) (applied models.Applied, err error) {
	err = s.InTx(ctx, func(tx pgx.Tx) error {
		if err := db.LockLinkTables(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `create temp table staged (roster_id text collate "C", gdc_id text collate "C", confidence text, mugshot_match boolean, line bigint) on commit drop`); err != nil {
			return fmt.Errorf("create staging table: %w", err)
		}
		n, err := copyRows(ctx, tx, "staged", []string{"roster_id", "gdc_id", "confidence", "mugshot_match", "line"}, func(yield func([]any, error) bool) {
			for l, err := range rows {
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield([]any{l.RosterID, l.GDCID, l.Confidence, l.MugshotMatch, l.Line}, nil) {
					return
				}
			}
		})
		if err != nil {
			return fmt.Errorf("stage links: %w", err)
		}
		applied.Rows = int(n)
		tag, err := tx.Exec(ctx, `insert into gdc_links as known (rid, cid, confidence, probability, reasons, mugshot_match, origin, pinned, linked_at)
 select distinct on (b.rid) b.rid, c.cid, l.confidence, `+importedProbability+`, '{imported}', l.mugshot_match, 'imported', true, $1
 from staged l join bookings b on b.id = l.roster_id join corrections_records c on c.gdc_id = l.gdc_id
 where not exists (select from link_verdicts v where v.roster_id = b.id and v.gdc_id = c.gdc_id and v.verdict = 'dismissed') order by b.rid, l.line
 on conflict (rid) do update set cid = excluded.cid, confidence = excluded.confidence, probability = excluded.probability, reasons = excluded.reasons,
  mugshot_match = excluded.mugshot_match, origin = 'imported', pinned = true, linked_at = excluded.linked_at where not known.pinned`, now)
		if err != nil {
			return fmt.Errorf("insert links: %w", err)
		}
		applied.New = int(tag.RowsAffected())
		found, err := tx.Query(ctx, `select l.line, case when b.rid is null then 'roster_id' else 'gdc_id' end, 'is not known' from staged l
 left join bookings b on b.id = l.roster_id left join corrections_records c on c.gdc_id = l.gdc_id where b.rid is null or c.cid is null order by 1`)
		if err != nil {
			return fmt.Errorf("find links without ends: %w", err)
		}
		applied.Rejected, err = pgx.CollectRows(found, pgx.RowToStructByPos[models.RejectedRow])
		if err != nil {
			return fmt.Errorf("find links without ends: %w", err)
		}
		applied.Unchanged = applied.Rows - applied.New - len(applied.Rejected)
		return nil
	})
	return applied, err
}
