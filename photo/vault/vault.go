// Package vault keeps pictures of package photo under their hash: in a directory, in a bucket of S3 or Google, or in a
// container of Azure. It knows neither whose pictures they are nor who may see them; its callers delete what no record
// names any more.
package vault

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/photo"
)

// Size is one of the two sizes of a picture.
type Size string

// The sizes.
const (
	Large Size = "large"
	Small Size = "small"
)

// ErrNotFound is returned for a picture that is not kept.
var ErrNotFound = errors.New("no such photograph")

// Keys open a bucket or a container. They never appear in an error.
type Keys struct {
	// S3ID, S3Secret and S3Session are an access key of S3, or an HMAC key of Google without a session. Without one S3 of
	// AWS is opened by AWS's usual chain: the environment, its files, the role of the machine.
	S3ID, S3Secret, S3Session string
	// AzureSAS is the query of a shared access signature of the container that may read, write, delete and list. Without one
	// a container of Azure itself is opened by Azure's usual chain: the environment, the identity of the machine.
	AzureSAS string
	// Roots are trusted instead of the certificates of the machine; nil trusts those.
	Roots *x509.CertPool
}

// Vault keeps pictures. It is safe for concurrent use, also by several processes on one place.
type Vault struct{ place place }

// Open opens a place by its address and asks it once, so that a wrong key is noticed when the program starts:
//
//	/var/lib/rollcall/photos                           a directory, created with mode 0700; also file:///var/...
//	s3://BUCKET/FOLDER?region=us-east-1                AWS
//	s3://BUCKET/FOLDER?endpoint=https://HOST:9000      another service with the protocol of S3
//	gs://BUCKET/FOLDER                                 Google, by the protocol of S3 with an HMAC key
//	azblob://CONTAINER/FOLDER?account=NAME             Azure; or ?endpoint=https://HOST
func Open(ctx context.Context, address string, keys Keys) (*Vault, error) {
	bucket, err := open(ctx, address, keys)
	if err != nil {
		return nil, fmt.Errorf("open the place of photographs: %w", err)
	}
	p := place{bucket: bucket, files: !strings.Contains(address, "://") || strings.HasPrefix(address, "file:")}
	if _, err := p.list(ctx, "00/"); err != nil {
		return nil, fmt.Errorf("open the place of photographs: %w", err)
	}
	return &Vault{p}, nil
}

// Put keeps both sizes of a picture. To put it again writes it again, and Each then reports the later time: so a sweep
// that spares what is younger than its records never deletes a picture that is put meanwhile.
func (v *Vault) Put(ctx context.Context, p *photo.Picture) error {
	sum := sha256.Sum256(p.Large)
	if p.Hash != hex.EncodeToString(sum[:]) {
		return errors.New("keep a photograph: its hash is not that of its bytes")
	}
	for _, part := range []struct {
		size  Size
		bytes []byte
	}{{Small, p.Small}, {Large, p.Large}} {
		if err := v.place.put(ctx, name(p.Hash, part.size), part.bytes); err != nil {
			return fmt.Errorf("keep photograph %s: %w", p.Hash, err)
		}
	}
	return nil
}

// Get returns one size of a picture as JPEG, with its length in bytes, or ErrNotFound. The caller closes it.
func (v *Vault) Get(ctx context.Context, hash string, size Size) (io.ReadCloser, int64, error) {
	if err := check(hash); err != nil {
		return nil, 0, err
	}
	if size != Large && size != Small {
		return nil, 0, fmt.Errorf("a photograph has no size %q", size)
	}
	body, length, err := v.place.open(ctx, name(hash, size))
	if err != nil {
		return nil, 0, fmt.Errorf("read photograph %s: %w", hash, err)
	}
	return body, length, nil
}

// Delete forgets both sizes of a picture. One that is not kept is no error.
func (v *Vault) Delete(ctx context.Context, hash string) error {
	if err := check(hash); err != nil {
		return err
	}
	for _, size := range []Size{Large, Small} {
		if err := v.place.remove(ctx, name(hash, size)); err != nil {
			return fmt.Errorf("delete photograph %s: %w", hash, err)
		}
	}
	return nil
}

// Each calls a function once for each picture, with the time of its last Put, in the order of hashes. A picture of which
// only one size is there, because a process ended between the two, is reported too. The function may delete it. Each also
// deletes what processes that ended left unfinished.
func (v *Vault) Each(ctx context.Context, f func(hash string, at time.Time) error) error {
	for i := range 256 {
		stored, err := v.place.list(ctx, fmt.Sprintf("%02x/", i))
		if err != nil {
			return fmt.Errorf("list photographs: %w", err)
		}
		latest := map[string]time.Time{}
		for _, o := range stored {
			if hash, ok := hashOf(o.Key); ok && o.ModTime.After(latest[hash]) {
				latest[hash] = o.ModTime
			}
		}
		for _, hash := range slices.Sorted(maps.Keys(latest)) {
			if err := f(hash, latest[hash]); err != nil {
				return fmt.Errorf("list photographs: %w", err)
			}
		}
	}
	return nil
}

// name is what a size of a picture is stored under.
func name(hash string, size Size) string { return hash[:2] + "/" + hash + "." + string(size) + ".jpg" }

// hashOf returns the hash of a stored name, unless it is none of ours.
func hashOf(stored string) (string, bool) {
	_, file, _ := strings.Cut(stored, "/")
	hash, _, _ := strings.Cut(file, ".")
	return hash, check(hash) == nil && (stored == name(hash, Large) || stored == name(hash, Small))
}

// check refuses what is no hash, so that no name leads out of a place.
func check(hash string) error {
	if b, err := hex.DecodeString(hash); err != nil || len(b) != sha256.Size || strings.ToLower(hash) != hash {
		return errors.New("the hash of a photograph has 64 lower-case hexadecimal digits")
	}
	return nil
}
