package photographs

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/image/draw"

	"rollcall/bench/roster"
	"rollcall/ingest"
	"rollcall/internal/portrait"
	"rollcall/internal/server"
)

// document is a source document, to be formatted with a county and the address of a jail. It asks a thousand times a second at
// most: with the usual pause of a second the pause alone would be measured.
const document = `id: %[1]s
title: Bench
kind: roster
county: %[1]s
publish: {policy: full_roster, absence: released}
transport: {kind: http, pause: 1ms, private: true, steps: [{url: '%[2]s/list.csv', keep: true}]}
decode: {format: csv, columns: [id, name, dob, booked, picture]}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}, photograph: {from: picture}}
  person: {name: name, dob: {from: dob, layouts: ['2006-01-02']}}
identity: {booking: [{of: [booking.number], strength: source}]}
privacy: {photographs: Drawings of nobody}
`

// shots are photographs of one size, of the people of a jail.
type shots struct {
	county                string
	width, height, number int
}

// jail is a page on this machine with a list and a picture of each person in it.
type jail struct {
	shots
	list     []byte
	pictures [][]byte
	server   *http.Server
	url      string
}

// open draws the pictures and serves them until close.
func (s shots) open(ctx context.Context, log *slog.Logger) (*jail, error) {
	j := &jail{shots: s, list: []byte("id,name,dob,booked,picture\n"), pictures: make([][]byte, s.number)}
	for i := range s.number {
		last, first, dob := roster.Person(i)
		booked := roster.Start.AddDate(0, 0, -1-i%50).Format("2006-01-02 15:04")
		j.list = fmt.Appendf(j.list, "%d,\"%s, %s\",%s,%s,/%d.jpg\n", i, last, first, dob, booked, i)
		var err error
		if j.pictures[i], err = s.shot(uint64(i)); err != nil {
			return nil, err
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the page of the jail: %w", err)
	}
	j.url, j.server = "http://"+l.Addr().String(), server.New(j, log)
	go func() { _ = server.Run(j.server, l) }() // what goes wrong is a photograph that does not come
	return j, nil
}

// shot is a picture as a camera takes it: a drawing of nobody in its size, with the noise that makes JPEG large.
func (s shots) shot(seed uint64) ([]byte, error) {
	drawing, err := jpeg.Decode(bytes.NewReader(portrait.Draw(seed)))
	if err != nil {
		return nil, fmt.Errorf("draw a photograph: %w", err)
	}
	m := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	draw.ApproxBiLinear.Scale(m, m.Rect, drawing, drawing.Bounds(), draw.Src, nil)
	noise := rand.New(rand.NewPCG(seed, uint64(s.width))) //nolint:gosec // noise is no secret, and a width no negative number
	for i := 0; i < len(m.Pix); i += 4 {
		n := noise.IntN(17) - 8
		for c := range 3 {
			m.Pix[i+c] = uint8(min(max(int(m.Pix[i+c])+n, 0), 255))
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("encode a photograph: %w", err)
	}
	return b.Bytes(), nil
}

// ServeHTTP answers with the list or a picture.
func (j *jail) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/list.csv" {
		_, _ = w.Write(j.list)
		return
	}
	i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".jpg"))
	if err != nil || i < 0 || i >= len(j.pictures) {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(j.pictures[i])
}

// source is what reads the page.
func (j *jail) source() (*ingest.Source, error) {
	return ingest.Parse(fmt.Appendf(nil, document, j.county, j.url))
}

// kb is the size of a picture, on average.
func (j *jail) kb() float64 {
	n := 0
	for _, p := range j.pictures {
		n += len(p)
	}
	return float64(n) / 1000 / float64(len(j.pictures))
}

// close ends the page.
func (j *jail) close() { _ = j.server.Close() }
