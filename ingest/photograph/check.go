package photograph

import (
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"math"

	"rollcall/faces"
	"rollcall/models/photograph"
	"rollcall/photo/vault"
)

// checksAtOnce is how many pairs are compared in one pass: each takes a second of a processor.
const checksAtOnce = 20

// Verifier compares two photographs that names and births link already. *faces.Verifier is one.
type Verifier interface {
	Compare(ctx context.Context, a, b image.Image) (faces.Result, error)
}

// check compares pictures of linked records that were not compared, and settles what links say. It makes, removes and upgrades
// no link.
func (t *Taker) check(ctx context.Context) error {
	if t.Faces != nil {
		pairs, err := t.Store.PairsToCheck(ctx, faces.Model, checksAtOnce)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			// A pair of which a picture cannot be read waits, and keeps no other from its turn.
			if err := t.compare(ctx, p); err != nil {
				t.Log.ErrorContext(ctx, "photographs not compared", "error", err)
			}
		}
	}
	return t.Store.SettleMatches(ctx)
}

// compare compares one pair. Descriptors live in memory for its time.
func (t *Taker) compare(ctx context.Context, p photograph.Pair) error {
	a, err := t.picture(ctx, p.Booking)
	if err != nil {
		return err
	}
	b, err := t.picture(ctx, p.Corrections)
	if err != nil {
		return err
	}
	r, err := t.Faces.Compare(ctx, a, b)
	if err != nil {
		return err
	}
	states := map[faces.State]photograph.CheckState{
		faces.Match: photograph.Match, faces.Inconclusive: photograph.Inconclusive, faces.Different: photograph.NoMatch,
	}
	return t.Store.PutCheck(ctx, photograph.Check{
		RID: p.RID, CID: p.CID, Booking: p.Booking, Corrections: p.Corrections, Model: faces.Model, State: states[r.State], Band: band(r),
	})
}

// picture reads a picture of the vault.
func (t *Taker) picture(ctx context.Context, hash string) (image.Image, error) {
	v, err := t.Vault(ctx)
	if err != nil {
		return nil, err
	}
	in, _, err := v.Get(ctx, hash, vault.Large)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	return jpeg.Decode(in)
}

// band is the twentieth in which a distance lies, such as 0.40-0.45: a finer one would tell two people apart who are compared
// with a third. Without a distance it is why there is none.
func band(r faces.Result) string {
	if math.IsNaN(r.Distance) {
		return r.Reason
	}
	low := math.Floor(r.Distance*20) / 20
	return fmt.Sprintf("%.2f-%.2f", low, low+0.05)
}
