package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/resolve"
)

// Chunk is how many rows or records are in memory at once, about 25 MB of bookings.
const Chunk = 10_000

// ClaimsByKey loads the claims that a source makes under keys at present, by key. Those of earlier booking periods under a
// number that was used again are left out.
func ClaimsByKey[F any](ctx context.Context, s *Session, source string, keys []string) (map[string]*resolve.Claim[F], error) {
	out := make(map[string]*resolve.Claim[F], len(keys))
	list, err := ReadClaims[F](ctx, s, "claims_by_key", Args{"source": source, "keys": keys})
	for _, c := range list {
		out[c.Key] = c
	}
	return out, err
}

// ClaimsOf loads all claims that are attached to records, of every source, by record.
func ClaimsOf[F any](ctx context.Context, s *Session, records []int64) (map[int64][]*resolve.Claim[F], error) {
	out := make(map[int64][]*resolve.Claim[F], len(records))
	list, err := ReadClaims[F](ctx, s, "claims_by_record", Args{"records": records})
	for _, c := range list {
		out[c.Record] = append(out[c.Record], c)
	}
	return out, err
}

// ReadClaims reads the claims that a statement returns, with the columns of claims_by_key. Their sources are looked up
// afterwards, as a transaction runs one statement at a time; claims of one source share one Policy.
func ReadClaims[F any](ctx context.Context, s *Session, name string, a Args) (list []*resolve.Claim[F], err error) {
	rows, err := s.Query(ctx, name, a)
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
		policy, err := s.policy(ctx, from[i])
		if err != nil {
			return nil, err
		}
		c.Source = policy
	}
	return list, nil
}

// scanClaim reads the columns of a claim. Facts, Since and evidence are JSON that only Go reads.
func scanClaim[F any](row pgx.CollectableRow, c *resolve.Claim[F], source *string) error {
	var facts, since, evidence []byte
	err := row.Scan(source, &c.Key, &c.Stay, &c.Record, &c.County, &c.How, &c.HowAt, &c.Fingerprint, &c.FirstAt, &c.SaidAt, &c.Present, &c.MissingSince,
		&c.Misses, &c.Disputed,
		&c.PersonKey, &c.Number, &facts, &since, &evidence, &c.RunID, &c.Photographed)
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

// DecisionsOf loads the decisions of operators that are in force about records, by record.
func (s *Session) DecisionsOf(ctx context.Context, records []int64) (map[int64][]resolve.Decision, error) {
	out := map[int64][]resolve.Decision{}
	var (
		record  int64
		because resolve.Ref
		d       resolve.Decision
	)
	into := []any{&d.ID, &record, &d.Kind, &d.Reason, &because.Family, &because.Record, &d.At}
	return out, s.Each(ctx, "decisions", Args{"family": s.Family, "records": records}, into, func() error {
		got := d
		if got.At = d.At.UTC(); because.Record != 0 {
			ref := because
			got.Because = &ref
		}
		out[record] = append(out[record], got)
		return nil
	})
}

// EndDecisions ends decisions of operators, by their ids. Callers pass those whose grounds hold no more (resolve.Decide).
func (s *Session) EndDecisions(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	return s.Do(ctx, "end_decisions", Args{"ids": ids, "now": s.Now})
}
