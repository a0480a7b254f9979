package reconcile

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"rollcall/match"
	"rollcall/models"
)

const correctionsStaging = `create temp table staged (
 ord bigint, gdc_id text collate "C", name text, name_key text collate "C", dob date, birth_year smallint, category text, categories text[], institution text, sentence text,
 status text, status_text text, release_date date, release_projected boolean, parole_end_date date, withheld text, seen_at timestamptz, line bigint, print bytea) on commit drop`

var stagedCorrections = strings.Fields(`ord gdc_id name name_key dob birth_year category categories institution sentence
 status status_text release_date release_projected parole_end_date withheld seen_at line print`)

// ReconcileCorrections brings the records of a corrections source into the tables, like
// ReconcileRoster. Absence from a complete file hides a record, it never releases anybody.
func (s *Store) ReconcileCorrections(ctx context.Context, r models.Reconciler, rows iter.Seq2[*models.CorrectionsRow, error]) (models.Applied, models.Verdict, error) {
	return s.reconcile(ctx, r, models.Corrections, correctionsStaging, stagedCorrections, correctionsValues(rows), func(ctx context.Context, st *staging) error {
		return st.bulk(ctx, st.correctionsSteps, "corrections_records")
	})
}

func (st *staging) correctionsSteps(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		st.dedupeCorrections, st.liftRecords, st.leadMerged, st.withholdRecords, st.matchCorrections, st.judge, st.turnoverRecords,
		st.changeCorrections, st.heedLateRecords, st.judgeRecords, st.insertCorrections, st.noteLeads, st.hideVanished, st.correctionsCounts,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func correctionsValues(rows iter.Seq2[*models.CorrectionsRow, error]) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var ord int64
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			ord++
			values := []any{
				ord, r.GDCID, r.Name, match.SearchKey(r.Name), r.DOB, nilIfZero(r.BirthYear), r.Category, r.Categories, models.NilIfEmpty(r.Institution), models.NilIfEmpty(r.Sentence),
				r.Status, models.NilIfEmpty(r.StatusText), r.ReleaseDate, r.ReleaseProjected, r.ParoleEnd, models.NilIfEmpty(r.Withheld), r.SeenAt, r.Line, r.Print,
			}
			if !yield(values, nil) {
				return
			}
		}
	}
}

func (st *staging) dedupeCorrections(ctx context.Context) error {
	err := st.exec(ctx, "index staged ids", `create index on staged (gdc_id)`)
	if err != nil {
		return err
	}
	err = st.exec(ctx, "find repeated ids", `create temp table repeated on commit drop as
 select ord, first_value(ord) over w as kept from staged where gdc_id in (select gdc_id from staged group by 1 having count(*) > 1)
 window w as (partition by gdc_id order by seen_at desc, ord desc)`)
	if err != nil {
		return err
	}
	return st.dropRepeated(ctx)
}

func (st *staging) matchCorrections(ctx context.Context) error {
	err := st.exec(ctx, "match known ids", `create temp table known on commit drop as
 select s.ord, c.cid, c.print is not distinct from s.print and c.withheld is not distinct from s.withheld as same,
  s.seen_at < case when c.source_id = $1 then greatest(c.snapshot_at, src.last_complete) else c.snapshot_at end or $2 as older
 from staged s join corrections_records c on c.gdc_id = s.gdc_id join sources src on src.id = $1`, st.SourceID, st.Imported)
	if err != nil {
		return err
	}
	if err := st.exec(ctx, "index known ids", `create index on known (ord)`); err != nil {
		return err
	}
	if err := st.exec(ctx, "analyze known ids", `analyze known`); err != nil {
		return err
	}
	err = st.guard(ctx, `select s.ord, c.name, c.dob, s.name, s.dob from known k join staged s on s.ord = k.ord join corrections_records c on c.cid = k.cid
 where not k.same and (s.name_key <> c.name_key or s.dob <> c.dob) and not exists (select from led l where l.ord = k.ord)`)
	if err != nil {
		return err
	}
	return st.exec(ctx, "drop rejected ids", `delete from known k where not exists (select from staged s where s.ord = k.ord)`)
}

func (st *staging) changeCorrections(ctx context.Context) error {
	err := st.exec(ctx, "find changed records", `create temp table changed on commit drop as
 select c.cid, c.name as old_name, c.dob as old_dob, c.birth_year as old_year, c.category as old_category, c.categories as old_categories, c.institution as old_institution, c.sentence as old_sentence,
  c.status as old_status, c.release_date as old_release, c.release_projected as old_projected, c.parole_end_date as old_parole, c.withheld as old_withheld,
  s.name, s.name_key, coalesce(s.dob, c.dob) as dob, coalesce(s.birth_year, c.birth_year) as birth_year, s.category, s.categories,
  s.institution as told_institution, s.sentence as told_sentence, s.release_date as told_release, s.parole_end_date as told_parole,
  case when l.institution then c.institution else s.institution end as institution, case when l.sentence then c.sentence else s.sentence end as sentence,
  case when s.status = 'unknown' then c.status else s.status end as status, s.status_text, case when l.release then c.release_date else s.release_date end as release_date,
  case when l.release then c.release_projected else s.release_projected end as release_projected, case when l.parole then c.parole_end_date else s.parole_end_date end as parole_end_date,
  s.withheld, s.seen_at, case when l.institution or l.sentence or l.release or l.parole then '' else s.print end as print
 from known k join staged s on s.ord = k.ord join corrections_records c on c.cid = k.cid
 -- A field that is in no row any more was renamed: nothing of it is taken for empty.
 cross join lateral (select $1 and s.institution is null and c.institution is not null as institution, $2 and s.sentence is null and c.sentence is not null as sentence,
  $3 and s.release_date is null and c.release_date is not null as release, $4 and s.parole_end_date is null and c.parole_end_date is not null as parole) l
 where not k.same and not k.older`, st.lost("offender.institution"), st.lost("offender.sentence", "sentence.length", "sentence.years", "sentence.months", "sentence.days"),
		st.lost("offender.release_date", "sentence.max_release", "sentence.min_release"), st.lost("offender.parole_end", "sentence.probation_end"))
	if err != nil {
		return err
	}
	err = st.exec(ctx, "write versions", `insert into record_changes (family, record, at, source_id, run_id, field, before, after)
 select 'corrections', c.cid, $1, $2, $3, f.field, f.before, f.after from changed c cross join lateral (values
  ('name', c.old_name, c.name), ('dob', c.old_dob::text, c.dob::text), ('birth_year', c.old_year::text, c.birth_year::text), ('category', c.old_category, c.category),
  ('categories', to_json(c.old_categories)::text, to_json(c.categories)::text), ('institution', c.old_institution, c.institution), ('sentence', c.old_sentence, c.sentence), ('status', c.old_status, c.status),
  ('release_date', c.old_release::text, c.release_date::text), ('release_projected', c.old_projected::text, c.release_projected::text), ('parole_end_date', c.old_parole::text, c.parole_end_date::text),
  ('withheld', c.old_withheld, c.withheld)) f (field, before, after) where f.before is distinct from f.after order by c.cid`, st.Now, st.SourceID, st.RunID)
	if err != nil {
		return err
	}
	st.applied.Changed, err = st.count(ctx, "change records", `update corrections_records t set name = c.name, name_key = c.name_key, dob = c.dob, birth_year = c.birth_year, category = c.category, categories = c.categories,
  institution = c.institution, sentence = c.sentence, status = c.status, status_text = c.status_text, release_date = c.release_date, release_projected = c.release_projected,
  parole_end_date = c.parole_end_date, withheld = c.withheld, source_id = $3, print = c.print, snapshot_at = c.seen_at, last_seen = greatest(t.last_seen, c.seen_at), last_change = $1, gen = $2
 from changed c where c.cid = t.cid`, st.Now, st.applied.Generation, st.SourceID)
	return err
}

func (st *staging) insertCorrections(ctx context.Context) (err error) {
	st.applied.New, err = st.count(ctx, "insert records", `insert into corrections_records (gdc_id, source_id, name, name_key, dob, birth_year, category, categories, institution, sentence, status, status_text,
  release_date, release_projected, parole_end_date, withheld, print, snapshot_at, first_seen, last_seen, known_at, last_change, gen)
 select s.gdc_id, $1, s.name, s.name_key, s.dob, s.birth_year, s.category, s.categories, s.institution, s.sentence, s.status, s.status_text,
  s.release_date, s.release_projected, s.parole_end_date, s.withheld, s.print, case when $4 then 'epoch' else s.seen_at end, s.seen_at, s.seen_at, $2, $2, $3
 from staged s where not exists (select from known k where k.ord = s.ord) order by s.ord`, st.SourceID, st.Now, st.applied.Generation, st.Imported)
	return err
}

func (st *staging) correctionsCounts(ctx context.Context) error {
	err := st.tx.QueryRow(ctx, `select (select count(*) from known where same), (select count(*) from known where older and not same), (select count(*) from staged where withheld is not null)`).
		Scan(&st.applied.Unchanged, &st.applied.Older, &st.applied.Withheld)
	if err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	st.applied.Unchanged += st.work.yields
	return nil
}
