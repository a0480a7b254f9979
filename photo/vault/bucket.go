package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// tries is how often a request is sent before its fault counts.
const tries = 3

// bucket is a place with the protocol of S3.
type bucket struct {
	client *minio.Client
	name   string
	folder string
}

// openBucket opens a bucket of AWS, of Google, or of another service with the protocol of S3.
func openBucket(u *url.URL, keys Keys) (place, error) {
	server, region := u.Query().Get("endpoint"), u.Query().Get("region")
	ofAWS := u.Scheme == "s3" && server == ""
	switch {
	case server != "":
	case u.Scheme == "gs":
		server = "https://storage.googleapis.com"
	case region == "":
		return nil, errors.New("a bucket of AWS needs its region, as in s3://BUCKET?region=us-east-1")
	default:
		server = "https://s3.amazonaws.com"
	}
	host, err := endpoint(server)
	if err != nil {
		return nil, err
	}
	if region == "" {
		region = "us-east-1" // else the library asks for it, which needs another permission
	}
	opening := credentials.NewStaticV4(keys.S3ID, keys.S3Secret, keys.S3Session)
	if keys.S3ID == "" {
		if !ofAWS {
			return nil, errors.New("the bucket needs an access key and its secret (of Google: an HMAC key)")
		}
		opening = credentials.NewIAM("")
	}
	client, err := minio.New(host.Host, &minio.Options{
		Creds: opening, Secure: host.Scheme == "https", Transport: transport(keys), Region: region, MaxRetries: tries,
	})
	if err != nil {
		return nil, err
	}
	client.SetAppInfo("rollcall", "1")
	return &bucket{client: client, name: u.Host, folder: folder(u)}, nil
}

// put sends an object in one request, signed with its hash.
func (b *bucket) put(ctx context.Context, name string, content []byte) error {
	sum := sha256.Sum256(content)
	_, err := minio.Core{Client: b.client}.PutObject(ctx, b.name, b.folder+name, body(content), int64(len(content)), "", hex.EncodeToString(sum[:]),
		minio.PutObjectOptions{ContentType: "image/jpeg"})
	return withoutAddress(err)
}

// open begins to read an object.
func (b *bucket) open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	content, info, _, err := minio.Core{Client: b.client}.GetObject(ctx, b.name, b.folder+name, minio.GetObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, withoutAddress(err)
	}
	return content, info.Size, nil
}

// remove deletes an object; S3 says that it did where there was none, Google that there was none.
func (b *bucket) remove(ctx context.Context, name string) error {
	err := b.client.RemoveObject(ctx, b.name, b.folder+name, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil
	}
	return withoutAddress(err)
}

// list yields the objects below the folder.
func (b *bucket) list(ctx context.Context, each func(string, time.Time) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.folder, Recursive: true}) {
		if o.Err != nil {
			return withoutAddress(o.Err)
		}
		if err := each(strings.TrimPrefix(o.Key, b.folder), o.LastModified); err != nil {
			return err
		}
	}
	return ctx.Err()
}
