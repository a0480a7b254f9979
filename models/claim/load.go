package claim

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/resolve"
)

// chunk is how many rows or records are in memory at once.
const chunk = 10_000

// claimsByKey loads the claims that a source makes under keys at present.
func claimsByKey[F any](ctx context.Context, s *session, source string, keys []string) (map[string]*resolve.Claim[F], error) {
	out := make(map[string]*resolve.Claim[F], len(keys))
	list, err := readClaims[F](ctx, s, "claims_by_key", args{"source": source, "keys": keys})
	for _, c := range list {
		out[c.Key] = c
	}
	return out, err
}

// claimsOf loads all claims that are attached to records.
func claimsOf[F any](ctx context.Context, s *session, records []int64) (map[int64][]*resolve.Claim[F], error) {
	out := make(map[int64][]*resolve.Claim[F], len(records))
	list, err := readClaims[F](ctx, s, "claims_by_record", args{"records": records})
	for _, c := range list {
		out[c.Record] = append(out[c.Record], c)
	}
	return out, err
}

// readClaims reads the rows of a statement. The sources of the claims are looked up after it: a transaction
// runs one statement at a time.
func readClaims[F any](ctx context.Context, s *session, name string, a args) (list []*resolve.Claim[F], err error) {
	rows, err := s.query(ctx, name, a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var from []string
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*resolve.Claim[F], error) {
		c, source := &resolve.Claim[F]{}, ""
		err := scanClaim(row, c, &source)
		from = append(from, source)
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, c := range list {
		src, err := s.source(ctx, from[i])
		if err != nil {
			return nil, err
		}
		c.Source = &src.Policy
	}
	return list, nil
}

func scanClaim[F any](row pgx.CollectableRow, c *resolve.Claim[F], source *string) error {
	var facts, since, evidence []byte
	err := row.Scan(source, &c.Key, &c.Stay, &c.Record, &c.County, &c.How, &c.HowAt, &c.Fingerprint, &c.FirstAt, &c.SaidAt, &c.Present, &c.MissingSince, &c.Misses, &c.Disputed,
		&c.PersonKey, &c.Number, &facts, &since, &evidence, &c.RunID)
	if err != nil {
		return err
	}
	c.HowAt, c.FirstAt, c.SaidAt = c.HowAt.UTC(), c.FirstAt.UTC(), c.SaidAt.UTC()
	if c.MissingSince != nil {
		at := c.MissingSince.UTC()
		c.MissingSince = &at
	}
	for _, part := range []struct {
		text []byte
		into any
	}{{facts, &c.Facts}, {since, &c.Since}, {evidence, &c.Age}} {
		if part.text == nil {
			continue
		}
		if err := json.Unmarshal(part.text, part.into); err != nil {
			return fmt.Errorf("read claim %q of %s: %w", c.Key, *source, err)
		}
	}
	return nil
}

// decisionsOf loads what operators decided about records and did not decide otherwise since.
func (s *session) decisionsOf(ctx context.Context, records []int64) (map[int64][]resolve.Decision, error) {
	out := map[int64][]resolve.Decision{}
	var (
		record  int64
		because resolve.Ref
		d       resolve.Decision
	)
	into := []any{&d.ID, &record, &d.Kind, &d.Reason, &because.Family, &because.Record, &d.At}
	return out, s.each(ctx, "decisions", args{"family": s.family, "records": records}, into, func() error {
		got := d
		if got.At = d.At.UTC(); because.Record != 0 {
			ref := because
			got.Because = &ref
		}
		out[record] = append(out[record], got)
		return nil
	})
}
