package fetch

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

// azureVersion is the version of the Blob service's protocol that is spoken
// (https://learn.microsoft.com/rest/api/storageservices/list-blobs).
const azureVersion = "2021-12-02"

// container is a place in Azure Blob Storage, opened by a shared access signature that may list and read: two
// kinds of GET are all that it takes.
type container struct {
	client *http.Client
	// base is the address of the container.
	base url.URL
	// sas is the signature that is added to each address. It is a secret, so addresses never reach a log.
	sas    url.Values
	prefix string
}

// azure opens a container. Redirects are not followed, because the signature would be sent to another host.
func (s *Spec) azure(keys Keys) (place, error) {
	sas, err := url.ParseQuery(strings.TrimPrefix(keys.AzureSAS, "?"))
	if err != nil || sas.Get("sig") == "" {
		return nil, errors.New("an Azure source needs a shared access signature of its container that may list and read: ROLLCALL_AZURE_SAS")
	}
	return &container{
		client: &http.Client{
			Transport:     keys.Web.transport(),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base: url.URL{Scheme: "https", Host: s.Server, Path: "/" + s.Bucket}, sas: sas, prefix: s.Folder,
	}, nil
}

// blobs is a page of the list.
type blobs struct {
	Blobs []struct {
		Name struct {
			Text string `xml:",chardata"`
			// Encoded reports a name in percent-encoding, as XML has no way to write some characters.
			Encoded bool `xml:"Encoded,attr"`
		} `xml:"Name"`
		Size     int64  `xml:"Properties>Content-Length"`
		Modified string `xml:"Properties>Last-Modified"`
		ETag     string `xml:"Properties>Etag"`
	} `xml:"Blobs>Blob"`
	Next string `xml:"NextMarker"`
}

// list yields the blobs of page after page. A marker that comes twice ends the list with an error, instead of
// never.
func (c *container) list(ctx context.Context, each func(Object) error) error {
	for marker, seen := "", map[string]bool{}; ; {
		page, err := c.page(ctx, marker)
		if err != nil {
			return fmt.Errorf("list container: %w", err)
		}
		for _, b := range page.Blobs {
			o := Object{Name: b.Name.Text, Mark: b.ETag, Size: b.Size}
			if b.Name.Encoded {
				if o.Name, err = url.PathUnescape(b.Name.Text); err != nil {
					return fmt.Errorf("list container: %w", err)
				}
			}
			if o.Modified, err = time.Parse(time.RFC1123, b.Modified); err != nil {
				return fmt.Errorf("list container: %w", err)
			}
			if o.Name == "" || o.Name[len(o.Name)-1] == '/' {
				continue
			}
			if err := each(o); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		if marker = page.Next; seen[marker] {
			return fmt.Errorf("list container: %w: its pages go round in a circle", ErrIncomplete)
		}
		seen[marker] = true
	}
}

// page reads one page of the list; an empty marker is the first.
func (c *container) page(ctx context.Context, marker string) (*blobs, error) {
	query := url.Values{"restype": {"container"}, "comp": {"list"}, "prefix": {c.prefix}}
	if marker != "" {
		query.Set("marker", marker)
	}
	body, err := c.get(ctx, c.base, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	text, err := bounded(body)
	if err != nil {
		return nil, err
	}
	page := &blobs{}
	if err := xml.Unmarshal(text, page); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	return page, nil
}

// open begins to read a blob.
func (c *container) open(ctx context.Context, name string) (io.ReadCloser, error) {
	address := c.base
	address.Path += "/" + name
	return c.get(ctx, address, url.Values{})
}

// get sends one request, signed. Its errors never show the signature.
func (c *container) get(ctx context.Context, address url.URL, query url.Values) (io.ReadCloser, error) {
	maps.Copy(query, c.sas)
	address.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, withoutAddress(err)
	}
	req.Header.Set("User-Agent", UserAgent)
	req.Header.Set("X-Ms-Version", azureVersion)
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, withoutAddress(err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("status %d %s", resp.StatusCode, resp.Header.Get("X-Ms-Error-Code"))
	}
	return resp.Body, nil
}

// close closes the connections that are kept open.
func (c *container) close() { c.client.CloseIdleConnections() }
