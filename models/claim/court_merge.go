package claim

import (
	"context"

	"rollcall/models"
)

// resolveCases resolves cases for an operator.
func resolveCases(ctx context.Context, s *session, records []int64) ([]Change, error) {
	all, err := casesAnew(ctx, s, records, origin{})
	var out []Change
	for i := range all {
		if all[i].changed() {
			out = append(out, Change{models.Courts, all[i].key.Number, all[i].versions})
		}
	}
	return out, err
}

// MergeCases makes two cases of one county, by their ids in GraphQL, one: hearings, dispositions, links and
// calendars of gone are those of kept from now on, and so is what its court reports under the number that went.
func (s *Store) MergeCases(ctx context.Context, kept, gone string) error {
	return s.Merge(ctx, models.Courts, kept, gone, "")
}
