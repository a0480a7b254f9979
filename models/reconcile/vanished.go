package reconcile

import (
	"context"

	"rollcall/models"
)

// hideVanished hides what as many complete files lack as have to confirm it. Where that is more than one, they
// are of other bytes. An older file that arrives late hides nothing, nor does the first that lacks a record which was reviewed.
func (st *staging) hideVanished(ctx context.Context) error {
	err := st.exec(ctx, "note who is listed again", `update corrections_records c set missing_since = null from staged s where s.gdc_id = c.gdc_id and c.missing_since <= s.seen_at`)
	if err != nil || !st.verdict.Complete {
		return err
	}
	spared, err := st.sparedKeys(ctx, `select c.gdc_id, c.name, n.name from unnest($2::text[], $3::text[]) n (name, word)
 join corrections_records c on split_part(c.name_key, ' ', 1) = n.word
 where c.source_id = $1 and coalesce(c.withheld, '`+models.Merged+`') = '`+models.Merged+`' and not exists (select from staged s where s.gdc_id = c.gdc_id)`)
	if err != nil {
		return err
	}
	if spared, err = st.sparedRecords(ctx, spared); err != nil {
		return err
	}
	if err := st.exec(ctx, "note who is spared", `update corrections_records set missing_since = null where gdc_id = any($1) and missing_since is not null`, spared); err != nil {
		return err
	}
	marked, err := st.count(ctx, "mark missing records", `update corrections_records c set missing_since = $2 from sources src
 where src.id = $1 and c.source_id = $1 and c.withheld is null and c.missing_since is null and c.snapshot_at < $2 and (src.last_complete is null or src.last_complete < $2)
  and not exists (select from reviews r where r.family = 'corrections' and r.record = c.cid and r.reason = $3 and r.decision = 'lifted' and r.ended_at is null)
  and not exists (select from staged s where s.gdc_id = c.gdc_id) and c.gdc_id <> all(coalesce($4, '{}'::text[]))`, st.SourceID, st.At, models.Vanished, spared)
	if err != nil {
		return err
	}
	need := max(1, st.Confirmations)
	hidden, err := st.hideMissing(ctx, need)
	st.applied.Missing = hidden
	if need > 1 {
		st.applied.Missing += marked
	}
	return err
}

// hideMissing hides the records that so many complete files lack. The same bytes once more confirm nothing.
func (st *staging) hideMissing(ctx context.Context, need int) (int, error) {
	if err := st.listSnapshots(ctx); err != nil {
		return 0, err
	}
	return st.count(ctx, "hide vanished records", `with mine as (select `+bytesOfRun+` as bytes from runs r where r.id = $6),
 confirmed as (select m.at, (select max(snapshot_at) from runs where source_id = $1 and complete and snapshot_at < m.at) as before from (select distinct missing_since as at from corrections_records where source_id = $1 and missing_since is not null) m
  where (select count(*) from complete_snapshots s where s.at >= m.at) >= $7 and ($7 = 1 or not exists (
   select from runs r, mine where r.source_id = $1 and r.complete and r.snapshot_at = m.at and r.id <> $6 and `+bytesOfRun+` = mine.bytes))),
 hidden as (update corrections_records c set withheld = $5, missing_since = null, last_seen = greatest(c.last_seen, k.before), last_change = $2, gen = $3 from sources src, confirmed k
  where src.id = $1 and c.source_id = $1 and c.withheld is null and c.missing_since = k.at and c.missing_since <= $4 and (src.last_complete is null or src.last_complete < $4) returning c.cid)
 insert into record_changes (family, record, at, source_id, run_id, field, after) select 'corrections', cid, $2, $1, $6, 'withheld', $5 from hidden`,
		st.SourceID, st.Now, st.applied.Generation, st.At, models.Vanished, st.RunID, need)
}
