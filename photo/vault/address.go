package vault

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gocloud.dev/blob"
)

// open opens a place without asking it.
func open(ctx context.Context, address string, keys Keys) (*blob.Bucket, error) {
	if address == "" {
		return nil, errors.New("no place is named; use a directory, s3://BUCKET, gs://BUCKET or azblob://CONTAINER")
	}
	if !strings.Contains(address, "://") {
		return openDirectory(address)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address cannot be read; use a directory, s3://BUCKET, gs://BUCKET or azblob://CONTAINER")
	}
	if u.User != nil {
		return nil, errors.New("keys do not belong in the address: give them separately")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") {
			return nil, fmt.Errorf("a directory is named by its whole path, as in file:///var/lib/photos, and not by file://%s", u.Host)
		}
		return openDirectory(filepath.FromSlash(u.Path))
	case "s3", "gs":
		err = known(u, "region", "endpoint")
	case "azblob":
		err = known(u, "account", "endpoint")
	default:
		err = fmt.Errorf("%s:// is not known; use a directory, s3://BUCKET, gs://BUCKET or azblob://CONTAINER", u.Scheme)
	}
	if err != nil {
		return nil, err
	}
	return openCloud(ctx, u, keys)
}

// openCloud opens a bucket or a container, and keeps to the folder that its address names.
func openCloud(ctx context.Context, u *url.URL, keys Keys) (bucket *blob.Bucket, err error) {
	if u.Scheme == "azblob" {
		bucket, err = openAzure(ctx, u, keys)
	} else {
		bucket, err = openS3(ctx, u, keys)
	}
	folder := strings.Trim(u.Path, "/")
	if err != nil || folder == "" {
		return bucket, err
	}
	return blob.PrefixedBucket(bucket, folder+"/"), nil
}

// known refuses an address without a bucket, or with a parameter that nobody reads.
func known(u *url.URL, parameters ...string) error {
	if u.Host == "" {
		return fmt.Errorf("%s:// needs the name of a bucket or container after it", u.Scheme)
	}
	for p := range u.Query() {
		if !slices.Contains(parameters, p) {
			return fmt.Errorf("the parameter %q is not known; %s:// has %s", p, u.Scheme, strings.Join(parameters, " and "))
		}
	}
	return nil
}

// endpoint reads the address of a server.
func endpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("an endpoint is the address of a server, as in https://storage.example.org:9000")
	}
	return u, nil
}

// client is what asks a bucket: no wait without an end. Redirects are not followed, because a signature would be sent to
// another host.
func client(keys Keys) *http.Client {
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{CheckRedirect: refuse, Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: keys.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   30 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   8,
		DisableCompression:    true, // of pictures
		ForceAttemptHTTP2:     true,
	}}
}
