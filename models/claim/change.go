package claim

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/resolve"
)

// Change is what resolving a record anew made of it.
type Change struct {
	Family   models.Family
	ID       string // as GraphQL and /v1 give it
	Versions []resolve.Version
}

// resolver resolves records of a family from their claims and decisions, writes what became another, and gives
// what did. Operators' actions and a rebuild go by it.
type resolver func(ctx context.Context, s *session, records []int64) ([]Change, error)

// resolvers are those of the families that are resolved from claims.
var resolvers = map[models.Family]resolver{
	models.Roster: bookingsAnew,
	models.Courts: resolveCases,
	models.Corrections: func(ctx context.Context, s *session, records []int64) ([]Change, error) {
		all, err := offendersAnew(ctx, s, records, 0)
		var out []Change
		for i := range all {
			if all[i].changed() {
				out = append(out, Change{models.Corrections, all[i].id, all[i].versions})
			}
		}
		return out, err
	},
}

// anew resolves records of the session's family.
func (s *session) anew(ctx context.Context, records ...int64) ([]Change, error) {
	resolve, ok := resolvers[s.family]
	if !ok {
		return nil, fmt.Errorf("resolve records of %s: the family has no claims", s.family)
	}
	return resolve(ctx, s, records)
}
