package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Rehearsal is what a snapshot would do, for the operator who decides about it. It names people.
type Rehearsal struct {
	Applied
	Complete bool
	Gone     []Gone    // who would be released, or hidden in the corrections family; the first of them by name
	Fresh    []Gone    // who would be new; the first of them by name
	Altered  []Altered // whose facts would change otherwise; the first of them by name
	Alters   int       // how many there are of Altered in all
}

// Gone is a record that a snapshot would close, or make.
type Gone struct {
	ID       string     `json:"id"` // empty for a booking that is not made yet
	Name     string     `json:"name"`
	Since    *time.Time `json:"since"` // of the booking; null for other records
	Inferred bool       `json:"inferred"`
}

// Altered is a record whose published facts a snapshot would change.
type Altered struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Changes []FactChange `json:"changes"`
}

// FactChange is a fact as it is and as it would be, under the name and in the writing of GraphQL; nil is not set.
type FactChange struct {
	Field  string  `json:"field"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// maxGone bounds how many closed records a rehearsal lists, maxListed how many of each other kind; the counts are whole.
const maxGone, maxListed = 1000, 200

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// rehearsals are the questions about what was done, by family. Gone is asked with generation, run, instant and limit,
// fresh with the limit, altered with the generation, run, instant, limit and family. They name no record that is withheld.
var rehearsals = map[Family]struct{ gone, fresh, altered string }{
	Roster: {
		gone: `select b.id, b.name, b.booked_at, b.release_inferred from bookings b
 where b.gen = $1 and b.released_at is not null and exists (select from record_changes h where h.family = 'roster' and h.record = b.rid and h.run_id = $2
  and h.field = 'released_at' and h.before is null and h.at = $3) order by b.name, b.id limit $4`,
		fresh:   `select '', b.name, b.booked_at, false from fresh_rows f join bookings b on b.rid = f.rid where b.withheld is null order by b.name, b.id limit $1`,
		altered: alteredSQL(`select b.rid as key, b.id, b.name from bookings b where b.gen = $1 and b.withheld is null`),
	},
	Corrections: {
		gone: `select c.gdc_id, c.name, null::timestamptz, true from corrections_records c where c.gen = $1 and c.withheld = '` + Vanished + `' and $2::bigint <> 0 and $3::timestamptz is not null order by c.name_key, c.gdc_id limit $4`,
		fresh: `select c.gdc_id, c.name, null::timestamptz, false from staged s join corrections_records c on c.gdc_id = s.gdc_id
 where c.withheld is null and not exists (select from known k where k.ord = s.ord) order by c.name_key, c.gdc_id limit $1`,
		altered: alteredSQL(`select c.cid as key, c.gdc_id as id, c.name from corrections_records c where c.gen = $1 and c.withheld is null`),
	},
	Courts: {
		fresh: `select c.case_number, c.defendant, null::timestamptz, false from staged s
 join court_cases c on c.county_id = s.county_id and c.court_type = s.court_type and c.case_number = s.case_number and c.party = s.party
 where s.has_case and c.withheld is null and not exists (select from known k where k.ord = s.ord) order by c.name_key, c.case_number limit $1`,
		altered: alteredSQL(`select c.id as key, c.case_number as id, c.defendant as name from court_cases c where c.gen = $1 and c.withheld is null`),
	},
}

// alteredSQL asks for the version rows that a run wrote of records, but for a stated or inferred release, which closes them.
func alteredSQL(records string) string {
	return `with altered as (select r.key, r.id, r.name, count(*) over () as alters from (` + records + `) r
  where exists (select from record_changes h where h.family = $5 and h.record = r.key and h.run_id = $2 and h.at = $3 and h.field <> 'withheld' and h.field <> 'release_inferred' and not (h.field = 'released_at' and h.before is null))
  order by r.name, r.id limit $4)
 select a.id, a.name, a.alters, h.field, h.before, h.after from altered a join record_changes h on h.family = $5 and h.record = a.key and h.run_id = $2 and h.at = $3 order by a.name, a.id, h.id`
}

// rehearse tells what was done, and then undoes it by its error.
func (st *staging) rehearse(ctx context.Context, family Family) error {
	out := Rehearsal{Applied: st.applied, Complete: st.verdict.Complete}
	ask := rehearsals[family]
	var err error
	if ask.gone != "" {
		if out.Gone, err = st.listed(ctx, ask.gone, st.applied.Generation, st.RunID, st.Now, maxGone); err != nil {
			return fmt.Errorf("list who would be gone: %w", err)
		}
	}
	if out.Fresh, err = st.listed(ctx, ask.fresh, maxListed); err != nil {
		return fmt.Errorf("list who would be new: %w", err)
	}
	if err = st.listAltered(ctx, family, &out); err != nil {
		return fmt.Errorf("list who would change: %w", err)
	}
	st.Rehearse(out)
	return errRehearsed
}

func (st *staging) listed(ctx context.Context, query string, args ...any) ([]Gone, error) {
	rows, err := st.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Gone])
}

// listAltered reads what would change, one row a fact.
func (st *staging) listAltered(ctx context.Context, family Family, out *Rehearsal) error {
	rows, err := st.tx.Query(ctx, rehearsals[family].altered, st.applied.Generation, st.RunID, st.Now, maxListed, family)
	if err != nil {
		return err
	}
	var (
		id, name string
		v        version
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &name, &out.Alters, &v.field, &v.before, &v.after}, func() error {
		c, ok, err := present(family, v)
		if err != nil || !ok {
			return err
		}
		if n := len(out.Altered); n == 0 || out.Altered[n-1].ID != id || out.Altered[n-1].Name != name {
			out.Altered = append(out.Altered, Altered{ID: id, Name: name})
		}
		last := &out.Altered[len(out.Altered)-1]
		last.Changes = append(last.Changes, FactChange{Field: c.Field, Before: c.Before, After: c.After})
		return nil
	})
	return err
}
