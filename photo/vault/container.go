package vault

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// azureVersion is the version of the Blob service's protocol that is spoken
	// (https://learn.microsoft.com/rest/api/storageservices/put-blob).
	azureVersion = "2021-12-02"
	// listPage bounds one page of a list, in bytes: an honest one has 5,000 blobs of some hundred.
	listPage = 16 << 20
)

// container is a place in Azure Blob Storage, opened by a shared access signature: four kinds of requests are all that
// it takes.
type container struct {
	client *http.Client
	// base is the address of the container.
	base url.URL
	// sas is the signature that is added to each address. It is a secret, so addresses never reach a log.
	sas    url.Values
	folder string
}

// openContainer opens a container. Redirects are not followed, because the signature would be sent to another host.
func openContainer(u *url.URL, keys Keys) (place, error) {
	sas, err := url.ParseQuery(strings.TrimPrefix(keys.AzureSAS, "?"))
	if err != nil || sas.Get("sig") == "" {
		return nil, errors.New("an Azure container needs a shared access signature of it that may read, write, delete and list")
	}
	server, account := u.Query().Get("endpoint"), u.Query().Get("account")
	if server == "" && account == "" {
		return nil, errors.New("an Azure container needs its account, as in azblob://CONTAINER?account=NAME")
	}
	if server == "" {
		server = "https://" + account + ".blob.core.windows.net"
	}
	host, err := endpoint(server)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Transport:     transport(keys),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &container{client: client, base: url.URL{Scheme: host.Scheme, Host: host.Host, Path: "/" + u.Host}, sas: sas, folder: folder(u)}, nil
}

// statusError is an answer that says what is wrong.
type statusError struct {
	status int
	code   string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d %s", e.status, e.code) }

// put writes a blob in one request.
func (c *container) put(ctx context.Context, name string, content []byte) error {
	header := http.Header{"X-Ms-Blob-Type": {"BlockBlob"}, "Content-Type": {"image/jpeg"}}
	resp, err := c.send(ctx, http.MethodPut, name, nil, header, body(content))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// open begins to read a blob.
func (c *container) open(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	resp, err := c.send(ctx, http.MethodGet, name, nil, nil, nil)
	if isMissing(err) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	return resp.Body, resp.ContentLength, nil
}

// remove deletes a blob.
func (c *container) remove(ctx context.Context, name string) error {
	resp, err := c.send(ctx, http.MethodDelete, name, nil, nil, nil)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// isMissing reports whether a blob is not there. A container that is not there is another error.
func isMissing(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && e.status == http.StatusNotFound && e.code == "BlobNotFound"
}

// blobs is a page of the list.
type blobs struct {
	Blobs []struct {
		Name     string `xml:"Name"`
		Modified string `xml:"Properties>Last-Modified"`
	} `xml:"Blobs>Blob"`
	Next string `xml:"NextMarker"`
}

// list yields the blobs of page after page. A marker that comes twice ends the list with an error, instead of never.
func (c *container) list(ctx context.Context, each func(string, time.Time) error) error {
	for marker, seen := "", map[string]bool{}; ; {
		page, err := c.page(ctx, marker)
		if err != nil {
			return err
		}
		for _, b := range page.Blobs {
			at, err := time.Parse(time.RFC1123, b.Modified)
			if err != nil {
				return err
			}
			if err := each(strings.TrimPrefix(b.Name, c.folder), at); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		if marker = page.Next; seen[marker] {
			return errors.New("the pages of the list go round in a circle")
		}
		seen[marker] = true
	}
}

// page reads one page of the list; an empty marker is the first.
func (c *container) page(ctx context.Context, marker string) (*blobs, error) {
	query := url.Values{"restype": {"container"}, "comp": {"list"}, "prefix": {c.folder}}
	if marker != "" {
		query.Set("marker", marker)
	}
	resp, err := c.send(ctx, http.MethodGet, "", query, nil, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, listPage))
	if err != nil {
		return nil, err
	}
	page := &blobs{}
	return page, xml.Unmarshal(text, page)
}

// send sends one request, signed, about a blob or about the container. Its errors never show the signature.
func (c *container) send(ctx context.Context, method, name string, query url.Values, header http.Header, content io.Reader) (*http.Response, error) {
	address := c.base
	if name != "" {
		address.Path += "/" + c.folder + name
	}
	signed := maps.Clone(c.sas)
	maps.Copy(signed, query)
	address.RawQuery = signed.Encode()
	req, err := http.NewRequestWithContext(ctx, method, address.String(), content)
	if err != nil {
		return nil, withoutAddress(err)
	}
	maps.Copy(req.Header, header)
	req.Header.Set("X-Ms-Version", azureVersion)
	req.Header.Set("User-Agent", "rollcall/1")
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, withoutAddress(err)
	}
	if resp.StatusCode/100 != 2 {
		_ = resp.Body.Close()
		return nil, &statusError{resp.StatusCode, resp.Header.Get("X-Ms-Error-Code")}
	}
	return resp, nil
}
