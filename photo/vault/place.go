package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/aws/smithy-go"
	"gocloud.dev/blob"
)

const (
	// page is how many names are asked for at once: as many as S3 answers.
	page = 1000
	// abandoned is the age at which nobody is writing a file any more.
	abandoned = time.Hour
	// looks is how often a folder is listed in which files come and go.
	looks = 100
)

// unfinished is what files are called that fileblob is writing.
var unfinished = regexp.MustCompile(`^[0-9a-f]{2}/[0-9a-f]{64}\.(large|small)\.jpg\.[0-9a-f]+\.tmp$`)

// place stores named bytes in a bucket, whose drivers differ in what follows.
type place struct {
	bucket *blob.Bucket
	files  bool // they are files of a directory
}

// put stores bytes under a name, whole or not at all, and replaces what was there. A file can be read by nobody else, and
// is on the disk before it has its name.
func (p place) put(ctx context.Context, name string, b []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	options := &blob.WriterOptions{ContentType: "image/jpeg"}
	if !p.files { // in one request: azureblob's writer of parts panics where the first one fails
		return explained(p.bucket.Upload(ctx, name, bytes.NewReader(b), options))
	}
	var file *os.File
	w, err := p.bucket.NewWriter(ctx, name, &blob.WriterOptions{BeforeWrite: func(as func(any) bool) error {
		if as(&file) {
			return file.Chmod(0o600)
		}
		return nil
	}})
	if err != nil {
		return explained(err)
	}
	_, err = w.Write(b)
	if err == nil && file != nil {
		err = file.Sync()
	}
	if err != nil {
		cancel() // else Close stores what there is
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	return explained(err)
}

// open returns what is stored, with its length, or ErrNotFound.
func (p place) open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	r, err := p.bucket.NewReader(ctx, name, nil)
	if missing(err) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, explained(err)
	}
	return r, r.Size(), nil
}

// remove forgets a name. One that is not stored is no error.
func (p place) remove(ctx context.Context, name string) error {
	if err := p.bucket.Delete(ctx, name); !missing(err) {
		return explained(err)
	}
	return nil
}

// list returns what a folder has, and deletes what a process that was ended left unfinished. The driver of directories
// fails when a file goes while it looks, so it looks again.
func (p place) list(ctx context.Context, folder string) (stored []*blob.ListObject, err error) {
	for range looks {
		stored, err = p.look(ctx, folder)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, explained(err)
	}
	for _, o := range stored {
		if unfinished.MatchString(o.Key) && time.Since(o.ModTime) > abandoned {
			if err := p.remove(ctx, o.Key); err != nil {
				return nil, err
			}
		}
	}
	return stored, nil
}

// look lists a folder once.
func (p place) look(ctx context.Context, folder string) (stored []*blob.ListObject, err error) {
	for token := blob.FirstPageToken; len(token) > 0; {
		if err := ctx.Err(); err != nil { // which the driver of directories does not heed
			return nil, err
		}
		var some []*blob.ListObject
		some, token, err = p.bucket.ListPage(ctx, token, page, &blob.ListOptions{Prefix: folder})
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return stored, nil
}

// missing reports whether a name is not stored. The library's own code for it is also that of a bucket or a host that is
// not there, and then nobody knows what is stored.
func missing(err error) bool {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode() == "NoSuchKey" || e.ErrorCode() == "NotFound" // the latter without a body
	}
	return errors.Is(err, fs.ErrNotExist) || bloberror.HasCode(err, bloberror.BlobNotFound)
}

// explained shortens the errors of clients. An address must not be shown, because a signature may stand in it.
func explained(err error) error {
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return fmt.Errorf("status %d %s", e.StatusCode, e.ErrorCode)
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
