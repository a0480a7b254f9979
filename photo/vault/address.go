package vault

import (
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
)

// open opens a place without asking it.
func open(address string, keys Keys) (place, error) {
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
		if err := known(u, "region", "endpoint"); err != nil {
			return nil, err
		}
		return openBucket(u, keys)
	case "azblob":
		if err := known(u, "account", "endpoint"); err != nil {
			return nil, err
		}
		return openContainer(u, keys)
	}
	return nil, fmt.Errorf("%s:// is not known; use a directory, s3://BUCKET, gs://BUCKET or azblob://CONTAINER", u.Scheme)
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

// folder is what the names in a bucket begin with.
func folder(u *url.URL) string {
	path := strings.Trim(u.Path, "/")
	if path == "" {
		return ""
	}
	return path + "/"
}

// endpoint reads the address of a server.
func endpoint(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("an endpoint is the address of a server, as in https://storage.example.org:9000")
	}
	return u, nil
}

// transport is what asks a bucket: no wait without an end.
func transport(keys Keys) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{RootCAs: keys.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   30 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   8,
		ForceAttemptHTTP2:     true,
	}
}

// withoutAddress removes the address from a client's error, because a signature may stand in it.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
