package photograph

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/photograph"
	"rollcall/photo"
)

const (
	// keepAtOnce is how many pictures are given to their claims in one transaction, and keepWithin how long the first of them
	// waits: each transaction makes readers look at the bookings again.
	keepAtOnce = 25
	keepWithin = 2 * time.Second
	// crowd is how many people have a picture that shows nobody.
	crowd = 5
)

// passing are the faults of bytes that the next answer may not have: a page for signing in, and what broke off.
var passing = []photo.Reason{photo.Empty, photo.WebPage, photo.Truncated, photo.Damaged}

// keeping makes pictures of bytes and gives them to claims, some at once. It belongs to one goroutine.
type keeping struct {
	*Taker
	source *ingest.Source
	refs   []*photograph.Reference
	since  time.Time // when the first of refs came
}

// add takes the bytes that a reference led to. A picture that cannot be made of them is refused with a reason; the error is one
// of our own.
func (k *keeping) add(ctx context.Context, ref *photograph.Reference, b []byte) error {
	k.reading.Lock()
	picture, err := photo.Read(b)
	k.reading.Unlock()
	if refused, ok := errors.AsType[*photo.Error](err); ok {
		if ref.Address != nil && slices.Contains(passing, refused.Reason) {
			ref.ETag, ref.Modified = "", "" // of an answer without a picture, which the next one is not compared with
			return k.fail(ctx, ref, string(refused.Reason))
		}
		return k.refuse(ctx, ref, string(refused.Reason))
	}
	if err != nil {
		return err
	}
	placeholder, err := k.Store.KnownPlaceholder(ctx, picture.Hash)
	if err != nil {
		return err
	}
	if placeholder {
		return k.placeholder(ctx, ref)
	}
	v, err := k.Vault(ctx)
	if err != nil {
		return err
	}
	if err := v.Put(ctx, picture); err != nil {
		return err
	}
	file, err := k.Store.PutFile(ctx, photograph.File{
		Hash: picture.Hash, Width: picture.Width, Height: picture.Height, SmallWidth: picture.SmallWidth, SmallHeight: picture.SmallHeight,
	})
	if err != nil {
		return err
	}
	ref.State, ref.Reason, ref.Hash, ref.Tries, ref.DueAt = photograph.Kept, mended(picture), &file.Hash, 0, nil
	if ref.Address != nil && !k.source.Transport.Drops() { // files of a drop may be cleared away once they were read
		wait := recheck
		if ref.ETag == "" && ref.Modified == "" {
			wait = unversioned
		}
		at := k.Now().Add(wait).UTC()
		ref.DueAt = &at
	}
	if len(k.refs) == 0 {
		k.since = k.Now()
	}
	if k.refs = append(k.refs, ref); len(k.refs) < keepAtOnce && k.Now().Sub(k.since) < keepWithin {
		return nil
	}
	return k.flush(ctx)
}

// mended returns what was not right about the file of a picture, as a reason; nil for nothing.
func mended(p *photo.Picture) *string {
	if len(p.Mended) == 0 {
		return nil
	}
	words := make([]string, len(p.Mended))
	for i, m := range p.Mended {
		words[i] = string(m)
	}
	text := strings.Join(words, " ")
	return &text
}

// fail stores that a photograph was not brought this time. A picture that is kept stays until the last try.
func (k *keeping) fail(ctx context.Context, ref *photograph.Reference, why string) error {
	if ref.Tries++; int(ref.Tries) > len(retries) {
		return k.refuse(ctx, ref, why)
	}
	ref.DueAt, ref.Reason = again(k.Now(), ref.Tries), &why
	return k.Store.PutReferences(ctx, []*photograph.Reference{ref})
}

// refuse stores that a reference leads to nothing that is kept, and is not asked for again. What its host or drop does not have may
// come there later, so that is asked for once a week.
func (k *keeping) refuse(ctx context.Context, ref *photograph.Reference, why string) error {
	ref.DueAt = nil
	if why == NotFound {
		at := k.Now().Add(unversioned).UTC()
		ref.DueAt, ref.ETag, ref.Modified = &at, "", ""
	}
	return k.without(ctx, ref, why)
}

// placeholder stores that a reference leads to a picture that shows nobody. It is asked for again, as the real one may come to
// the same place.
func (k *keeping) placeholder(ctx context.Context, ref *photograph.Reference) error {
	ref.Tries, ref.DueAt = 0, nil
	if ref.Address != nil {
		ref.DueAt = again(k.Now(), 0)
	}
	return k.without(ctx, ref, photograph.Placeholder)
}

// without stores that a reference leads to no picture, and takes away the one that its claim had.
func (k *keeping) without(ctx context.Context, ref *photograph.Reference, why string) error {
	ref.State, ref.Reason, ref.Hash = photograph.Refused, &why, nil
	if err := k.Store.PutReferences(ctx, []*photograph.Reference{ref}); err != nil {
		return err
	}
	return k.Store.PutPhotographs(ctx, ref.Family, []claim.Photograph{{Source: ref.SourceID, Key: ref.Key}})
}

// errWithdrawn is the error for a source whose document allows photographs no more.
var errWithdrawn = errors.New("the document allows photographs no more")

// flush gives the pictures at hand to their claims. Those whose record was withheld meanwhile are taken away by End, and nobody
// sees them until then. The document is read again, as End may have taken away what its source had.
func (k *keeping) flush(ctx context.Context) error {
	if len(k.refs) == 0 {
		return nil
	}
	if k.allowed(ctx, []string{k.source.ID})[k.source.ID] == nil {
		k.refs = nil
		return errWithdrawn
	}
	family := models.Family(k.source.Kind)
	list, hashes := make([]claim.Photograph, len(k.refs)), map[string]bool{}
	for i, ref := range k.refs {
		list[i] = claim.Photograph{Source: ref.SourceID, Key: ref.Key, Hash: *ref.Hash}
		hashes[*ref.Hash] = true
	}
	// What is cut off between the two is asked for again, as its reference still waits.
	err := k.Store.PutPhotographs(ctx, family, list)
	if err == nil {
		err = k.Store.PutReferences(ctx, k.refs)
	}
	k.refs = nil
	for hash := range hashes {
		if err == nil {
			err = k.crowded(ctx, family, hash)
		}
	}
	return err
}

// crowded takes a picture away from everybody if many people have it.
func (k *keeping) crowded(ctx context.Context, family models.Family, hash string) error {
	n, err := k.Store.PeopleOfPicture(ctx, family, hash)
	if err != nil || n < crowd {
		return err
	}
	k.Log.InfoContext(ctx, "a picture of many people is a placeholder", "source", k.source.ID, "people", n)
	if err := k.Store.MarkPlaceholder(ctx, hash, *again(k.Now(), 0)); err != nil {
		return err
	}
	if err := k.takeAway(ctx); err != nil {
		return err
	}
	return k.delete(ctx, hash)
}
