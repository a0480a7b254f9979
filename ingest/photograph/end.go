package photograph

import (
	"context"
	"fmt"
	"time"

	"rollcall/ingest"
	"rollcall/models"
)

// kept returns since when people may have been released whose photographs a source keeps.
func (t *Taker) kept(s *ingest.Source) time.Time {
	return t.Now().AddDate(0, 0, -s.Privacy.PhotographDays)
}

// End takes away what may not be kept any more, and deletes pictures that nobody has. It may run beside a pass. What is withheld
// is shown to nobody before it runs.
func (t *Taker) End(ctx context.Context) error {
	if err := t.takeAway(ctx); err != nil {
		return err
	}
	if err := t.Store.DropStale(ctx); err != nil {
		return err
	}
	// A vault that does not answer must not keep the next look from taking photographs from claims.
	ctx, cancel := context.WithTimeout(ctx, endEvery)
	defer cancel()
	before := t.Now().Add(-spare)
	hashes, err := t.Store.UnusedFiles(ctx, before)
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		// The row goes first: a picture without a row is shown to nobody. Where the process ends in between, a sweep finds its file.
		gone, err := t.Store.ForgetFile(ctx, hash, before)
		if err == nil && gone {
			err = t.delete(ctx, hash)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeAway takes photographs from the claims that may not keep them any more.
func (t *Taker) takeAway(ctx context.Context) error {
	ids, err := t.Store.PhotographSources(ctx)
	if err != nil {
		return err
	}
	sources := t.allowed(ctx, ids)
	for _, family := range families {
		since := map[string]time.Time{}
		for id, s := range sources {
			if models.Family(s.Kind) == family {
				since[id] = t.kept(s)
			}
		}
		n, err := t.Store.EndPhotographs(ctx, family, since)
		if err != nil {
			return fmt.Errorf("take photographs away: %w", err)
		}
		if n > 0 {
			t.Log.InfoContext(ctx, "photographs taken away", "family", family, "count", n)
		}
	}
	return nil
}

// sweep deletes what lies in the vault and may be shown to nobody: pictures that no row names, and placeholders.
func (t *Taker) sweep(ctx context.Context) error {
	v, err := t.Vault(ctx)
	if err != nil {
		return err
	}
	before := t.Now().Add(-spare)
	return v.Each(ctx, func(hash string, at time.Time) error {
		if at.After(before) {
			return nil
		}
		shown, err := t.Store.ShowsSomebody(ctx, hash)
		if err != nil || shown {
			return err
		}
		t.Log.InfoContext(ctx, "a picture that no record names was deleted")
		return v.Delete(ctx, hash)
	})
}

// delete deletes a picture from the vault.
func (t *Taker) delete(ctx context.Context, hash string) error {
	v, err := t.Vault(ctx)
	if err != nil {
		return err
	}
	return v.Delete(ctx, hash)
}
