package claim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/db/joint"
)

// merging names the statements by which two records of a family become one.
type merging struct {
	find   string   // statement that finds and locks a record by its public id
	gone   string   // statement that finds a record by its public id that was merged into another one
	others []string // statements that bring what points to the one that goes to the one that stays
}

// MergeCorrections makes two records of the corrections department one, by their GDC ids: gone is published no more, its id
// resolves to kept from now on, and its claims are claims of kept. The department may go on listing both ids.
func (s *Store) MergeCorrections(ctx context.Context, kept, gone string) error {
	return s.Merge(ctx, models.Corrections, kept, gone, "")
}

// MergeBookings makes two bookings of one county one: gone is published no more, its id resolves to kept from now on, and
// its links and claims are those of kept. Its sources may go on listing either.
func (s *Store) MergeBookings(ctx context.Context, kept, gone string) error {
	return s.Merge(ctx, models.Roster, kept, gone, "")
}

// Merge makes two records of a family one, by their public ids. It can be undone (Unmerge).
func (s *Store) Merge(ctx context.Context, family models.Family, kept, gone, actor string) error {
	if kept == gone {
		return models.Invalid("id", "the two ids are the same")
	}
	if _, ok := families[family]; !ok {
		return fmt.Errorf("merge records of %s: the family has no claims", family)
	}
	return s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, family)
		if err := t.Lock(ctx); err != nil {
			return err
		}
		keys, places := map[string]int64{}, map[string]string{}
		for _, id := range []string{kept, gone} {
			key, place, err := t.find(ctx, id)
			if err != nil {
				return err
			}
			keys[id], places[id] = key, place
		}
		if places[kept] != places[gone] {
			return models.Invalid("id", "the two records belong to different counties")
		}
		return t.merge(ctx, keys[kept], keys[gone], gone, actor)
	})
}

// find finds and locks a record by its public id. place is its county, where records of two can not be one.
func (s *action) find(ctx context.Context, id string) (key int64, place string, err error) {
	err = s.One(ctx, s.of.merging.find, engine.Args{"id": id}, &key, &place)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, "", models.NotFound("there is no record " + id + " to merge")
	}
	return key, place, err
}

// merge brings the claims of gone, and all that points to it, to kept, and resolves that.
func (s *action) merge(ctx context.Context, kept, gone int64, id, actor string) error {
	a := engine.Args{"family": s.Family, "kept": kept, "gone": gone, "id": id, "now": s.Now, "gen": s.Gen, "from": gone, "into": kept, "actor": actor}
	// What was decided of the one that goes holds for both, so it is merged before the other is resolved.
	steps := slices.Concat([]string{"keep_gdc_links", "keep_court_links"}, s.of.merging.others, []string{
		"move_claims", "merge_ground", "merge_gone_version", "merge_gone", "merge_earlier", "drop_removed_photographs",
	})
	for _, step := range steps {
		if err := s.Do(ctx, step, a); err != nil {
			return err
		}
	}
	if err := s.decide(models.DecisionRow{Record: kept, Kind: "merge", Other: &gone, Actor: actor}); err != nil {
		return err
	}
	if _, err := s.resolve(ctx, kept); err != nil {
		return err
	}
	for _, step := range []string{"merge_versions", "merge_kept"} {
		if err := s.Do(ctx, step, a); err != nil {
			return err
		}
	}
	return nil
}

// Unmerge sets a record free again that was merged into another one, by its public id: the claims that the merge took
// from it are its own again, and so are those that came by its id or identity since, and the links that it had.
// Both records become what their claims say. Links that were made since remain with the record that stayed.
func (s *Store) Unmerge(ctx context.Context, family models.Family, id, actor, note string) error {
	if _, ok := families[family]; !ok {
		return models.Invalid("family", "there are no records of family "+string(family))
	}
	note, err := models.Grounds("note", note, 500)
	if err != nil {
		return err
	}
	return s.db.Joint(ctx, func(tx *joint.Tx) error {
		t := s.action(tx, family)
		if err := t.Lock(ctx); err != nil {
			return err
		}
		return t.unmerge(ctx, id, actor, note)
	})
}

// unmerge takes back the merge of a record, by its public id, and resolves both records.
func (s *action) unmerge(ctx context.Context, id, actor, note string) error {
	var gone, kept, direct int64
	var mergedAt time.Time
	err := s.One(ctx, s.of.merging.gone, engine.Args{"id": id}, &gone)
	if err == nil {
		err = s.One(ctx, "find_merged", engine.Args{"family": s.Family, "gone": gone}, &kept, &direct, &mergedAt)
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return models.NotFound("no record " + id + " was merged into another one")
	case err != nil:
		return err
	case kept != direct:
		return models.Invalid("id", "the record that "+id+" was merged into was merged itself; undo that merge first")
	}
	a := engine.Args{
		"family": s.Family, "id": id, "kept": kept, "gone": gone, "merged_at": mergedAt, "now": s.Now, "gen": s.Gen, "from": kept,
		"to": gone, "actor": actor,
	}
	steps := []string{
		"unmerge_versions", "end_merge", "unmerge_gone", "unmerge_earlier", "return_claims", "end_successions", "unmerge_seen",
		"restore_decisions", "keep_restriction", "end_moved_gdc_links", "end_moved_court_links", "return_gdc_links", "return_court_links", "forget_merged_links",
	}
	for _, step := range steps {
		if err := s.Do(ctx, step, a); err != nil {
			return err
		}
	}
	if err := s.decide(models.DecisionRow{Record: kept, Kind: "unmerge", Other: &gone, Actor: actor, Note: note}); err != nil {
		return err
	}
	if _, err = s.resolve(ctx, kept, gone); err != nil {
		return err
	}
	return s.Do(ctx, "touch_record", engine.Args{"record": kept, "now": s.Now, "gen": s.Gen})
}

// MergeCases makes two cases of one county, by their ids in GraphQL, one: hearings, dispositions and links of gone are those
// of kept from now on, and so is what its court reports under the number that went. A calendar of gone shows kept meanwhile.
func (s *Store) MergeCases(ctx context.Context, kept, gone string) error {
	return s.Merge(ctx, models.Courts, kept, gone, "")
}
