package fetch

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Key opens a bucket that speaks the protocol of S3: of AWS, of Google (an HMAC key of its interoperability
// settings), of MinIO. Without one the bucket is read as anybody may.
type S3Key struct {
	// ID and Secret are the two parts of an access key.
	ID     string
	Secret string
	// Session is that of temporary keys; else empty.
	Session string
}

// bucket is a place that speaks the protocol of S3.
type bucket struct {
	client *minio.Client
	name   string
	prefix string
	// idle closes the connections that are kept open.
	idle func()
}

// s3Tries is how often a request is sent before its fault counts.
const s3Tries = 3

// s3 opens a bucket of any service with the protocol of S3.
func (s *Spec) s3(keys Keys) (place, error) {
	transport := keys.Web.transport()
	region := s.Region
	if region == "" {
		region = "us-east-1" // else the library asks for it, which needs another permission
	}
	client, err := minio.New(s.Server, &minio.Options{
		Creds:  credentials.NewStaticV4(keys.S3.ID, keys.S3.Secret, keys.S3.Session),
		Secure: true, Transport: listBounds{transport}, Region: region, MaxRetries: s3Tries,
	})
	if err != nil {
		return nil, fmt.Errorf("open bucket: %w", err)
	}
	client.SetAppInfo("rollcall", "1")
	return &bucket{client: client, name: s.Bucket, prefix: s.Folder, idle: transport.CloseIdleConnections}, nil
}

// list yields the objects below the folder.
func (b *bucket) list(ctx context.Context, each func(Object) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		if o.Err != nil {
			return fmt.Errorf("list bucket %s: %w", b.name, withoutAddress(o.Err))
		}
		if o.Key == "" || o.Key[len(o.Key)-1] == '/' { // a folder, as some tools draw it
			continue
		}
		// The tag alone is a hash of the bytes: the same ones that were brought again would not count as new.
		mark := o.ETag + " " + o.LastModified.UTC().Format(time.RFC3339Nano)
		if err := each(Object{Name: o.Key, Mark: mark, Size: o.Size, Modified: o.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// open begins to read an object.
func (b *bucket) open(ctx context.Context, name string) (io.ReadCloser, error) {
	// The simple client reads the answer as it comes; the other one asks for the object twice.
	body, _, _, err := minio.Core{Client: b.client}.GetObject(ctx, b.name, name, minio.GetObjectOptions{})
	if err != nil {
		return nil, withoutAddress(err)
	}
	return body, nil
}

// close closes the connections that are kept open.
func (b *bucket) close() { b.idle() }
