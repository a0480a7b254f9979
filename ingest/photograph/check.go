package photograph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
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
		// Each pass goes on after the pair that was tried last, and begins anew at the end. So a pair that cannot be compared
		// keeps no other from its turn.
		pairs, err := t.Store.PairsToCheck(ctx, faces.Model, t.tried, checksAtOnce)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			if err := t.compare(ctx, p); err != nil {
				t.Log.ErrorContext(ctx, "photographs not compared", "error", err)
			}
			t.tried = p
		}
		if len(pairs) < checksAtOnce {
			t.tried = photograph.Pair{}
		}
	}
	return t.Store.SettleMatches(ctx)
}

// compare compares one pair. Descriptors live in memory for its time. A picture that is missing from the vault or damaged there
// is forgotten, and brought anew.
func (t *Taker) compare(ctx context.Context, p photograph.Pair) error {
	a, err := t.picture(ctx, p.Booking)
	if err != nil {
		return t.lost(ctx, p.Booking, err)
	}
	b, err := t.picture(ctx, p.Corrections)
	if err != nil {
		return t.lost(ctx, p.Corrections, err)
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

// errDamaged is the error for a picture of the vault that cannot be decoded.
var errDamaged = errors.New("a kept photograph cannot be decoded")

// lost forgets a picture that is not in the vault as it was put there. Any other error it returns as it is.
func (t *Taker) lost(ctx context.Context, hash string, err error) error {
	if !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, errDamaged) {
		return err
	}
	t.Log.WarnContext(ctx, "a kept photograph is missing from its place or damaged; it is asked for again", "hash", hash)
	_, err = t.Store.LosePicture(ctx, hash)
	return err
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
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return m, nil
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
