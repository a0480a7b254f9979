package photograph_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// inks is a JPEG in four colours of printers, of blocks of one colour each. Go's encoder writes none.
const inks = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI/8AAFAgAQABABAERAAIRAAMR" +
	"AAQRAP/EAB8AAAAADAAAAAAAAAAAAAAAAAABAgMEBQYHCAkKC//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAgADAAQAAD8Ah/OnMeRxYsWLFixYsWLFixYsWLFixYsWLFixYsWL" +
	"KoqiqKoWLFixYsWLFixYsWLFixYsWLFixYsWLFiyqKoqiqFixYsWLFixYsWLFixYsWLFixYsWLFixYsqiqKoqhYsWLFixYsWLFixYsWLFixYsWLFixYsWLKoqiqKoWLFixYsWLFixYsW" +
	"LFixYsWLFixYsWLFiyqKoqiqFixYsWLFixYsWLFixYsWLFixYsWLFixYsqiqKoqhYsWLFixYsWLFixYsWLFixYsWLFixYsWLKoqiqKoWLFixYsWLFixYsWLFixYsWLFixYsWLFi3/9k="

// larger lets the header of a JPEG state 65,535 pixels on each side.
func larger(file []byte) []byte {
	b := bytes.Clone(file)
	copy(b[bytes.Index(b, []byte{0xff, 0xc0})+5:], []byte{0xff, 0xff, 0xff, 0xff})
	return b
}

// frames is a GIF of a drawing and of more frames of one pixel.
func frames(t *testing.T, n int) []byte {
	t.Helper()
	file, palette := &gif.GIF{}, color.Palette{color.Black, color.White}
	for i := range n {
		size := image.Rect(0, 0, 1, 1)
		if i == 0 {
			size = image.Rect(0, 0, 64, 80)
		}
		file.Image, file.Delay = append(file.Image, image.NewPaletted(size, palette)), append(file.Delay, 1)
	}
	var b bytes.Buffer
	require.NoError(t, gif.EncodeAll(&b, file))
	return b.Bytes()
}

// zipped is a PNG of 40 x 40 pixels whose stream is 64 MiB of zeros.
func zipped(t *testing.T) []byte {
	t.Helper()
	var stream bytes.Buffer
	w := zlib.NewWriter(&stream)
	_, err := w.Write(make([]byte, 64<<20))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	chunk := func(name string, body []byte) []byte {
		b := append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name...), body...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	}
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", []byte{0, 0, 0, 40, 0, 0, 0, 40, 8, 6, 0, 0, 0}), chunk("IDAT", stream.Bytes()), chunk("IEND", nil))
}

const position = "33 57 30 N 83 22 39 W"

// lying puts EXIF into a JPEG that says that it lies on its side, and where it was taken.
func lying(file []byte) []byte {
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00" + position
	return slices.Concat(file[:2], binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(exif)+2)), []byte(exif), file[2:])
}

// What a jail may show instead of a photograph is refused or mended with a word that is counted. No original is stored or sent,
// and nobody is answered with an error of ours.
func TestBadInputIsRefusedOrMendedFromTheSourceToTheCaller(t *testing.T) {
	t.Parallel()
	printed, err := base64.StdEncoding.DecodeString(inks)
	require.NoError(t, err)
	cases := map[string]struct {
		file []byte
		want string
	}{
		"nothing":                        {nil, "wanted empty"},
		"not an image":                   {[]byte(`{"error":"no such inmate"}`), "refused not_an_image"},
		"a page for signing in":          {[]byte("<!DOCTYPE html><html><body>Please sign in</body></html>"), "wanted web_page"},
		"SVG":                            {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "refused svg"},
		"50 MB":                          {append(drawn(1), make([]byte, 50<<20)...), "refused too_many_bytes"},
		"a bomb of pixels":               {larger(drawn(2)), "refused too_many_pixels"},
		"a bomb of frames":               {frames(t, 500), "refused frames"},
		"a bomb in a PNG":                {zipped(t), "wanted damaged"},
		"half a picture":                 {drawn(3)[:900], "wanted truncated"},
		"an animated GIF":                {frames(t, 5), "kept first_frame"},
		"a JPEG in colours of printers":  {printed, "kept inks"},
		"a rotation and a position":      {lying(drawn(4)), "kept metadata rotated"},
		"a picture with a ZIP behind it": {append(drawn(5), "PK\x03\x04secret.exe"...), "kept"},
		"a picture":                      {drawn(6), "kept"},
	}
	at := places["a directory"](t)
	b := setupIn(t, at.address, at.keys)
	s := b.source("web", false)
	b.answer("/private", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://10.0.0.1/inside.jpg", http.StatusFound)
	})
	names := slices.Sorted(maps.Keys(cases))
	rows, counts, kept := []string{row("x", "PERSONX, SOME", "/private")}, map[string]int{"wanted not_reached": 1}, 0
	for i, name := range names {
		b.says(fmt.Sprintf("/photos/%d", i), cases[name].file)
		rows = append(rows, row(strconv.Itoa(i), fmt.Sprintf("PERSON%c, SOME", 'A'+i), fmt.Sprintf("/photos/%d", i)))
		counts[cases[name].want]++
		if cases[name].want[:4] == "kept" {
			kept++
		}
	}
	b.reads(s, rows...)
	b.pass()
	one := b.serves(at)[0]
	for i, name := range names {
		require.Equal(t, cases[name].want, b.text(`select state || coalesce(' ' || reason, '') from photographs where key = $1`, strconv.Itoa(i)), name)
		id := b.id(fmt.Sprintf("PERSON%c, SOME", 'A'+i))
		status, _, body := one.get("/v1/roster/"+id+"/mugshot", one.key)
		if cases[name].want[:4] != "kept" {
			require.Equal(t, http.StatusNotFound, status, "%s: %s", name, body)
			require.Nil(t, one.record(id).MugshotURL, name)
			continue
		}
		require.Equal(t, http.StatusOK, status, "%s: %s", name, body)
		require.NotNil(t, one.record(id).MugshotURL, name)
		require.Equal(t, read(t, cases[name].file).Large, body, name)
		for _, theirs := range []string{"Exif", position, "secret.exe", "GIF89a"} {
			require.NotContains(t, string(body), theirs, name)
		}
	}
	require.Equal(t, 2*kept, at.files(), "what is refused is not stored")
	found := map[string]int{}
	list, err := b.store.PhotographCounts(t.Context())
	require.NoError(t, err)
	for _, c := range list {
		words := string(c.State)
		if c.Reason != "" {
			words += " " + c.Reason
		}
		found[words] = c.N
	}
	require.Equal(t, counts, found)
	require.Equal(t, "kept metadata rotated 150x120", b.text(`select p.state || ' ' || p.reason || ' ' || f.width || 'x' || f.height from photographs p join photograph_files f on f.hash = p.hash where p.reason like 'metadata%'`), "upright")
}
