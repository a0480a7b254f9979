package photo

import (
	"bytes"
	"encoding/binary"
)

const (
	mostFrames = 200 // of an animation: its first one is a picture, a film's is not
	mostScans  = 100 // of a JPEG: progressive ones have about 10
)

// walkNothing is the walk of a format with neither metadata nor frames.
func walkNothing([]byte) (parts, error) { return parts{frames: 1}, nil }

// walkJPEG goes from marker to marker as the decoder does, so that it counts at least the scans that would be decoded:
// a progressive JPEG of 12 MiB can go over 40 million pixels a hundred thousand times.
func walkJPEG(b []byte) (parts, error) {
	found, scans := parts{frames: 1}, 0
	for i := 2; ; {
		next := bytes.IndexByte(b[min(i, len(b)):], 0xff)
		if i += next; next < 0 || i+1 >= len(b) {
			return found, nil
		}
		marker := b[i+1]
		switch {
		case marker == 0xff: // fills
			i++
			continue
		case marker == 0xd9: // the end
			return found, nil
		case marker == 0, marker >= 0xd0 && marker <= 0xd7: // has no length
			i += 2
			continue
		}
		if i+4 > len(b) {
			return found, nil
		}
		switch marker {
		case 0xc2:
			found.progressive = true
		case 0xda:
			if scans++; scans > mostScans {
				return found, refuse(Scans, "this JPEG has more than %d scans", mostScans)
			}
		}
		end := i + 2 + int(binary.BigEndian.Uint16(b[i+2:]))
		if body := b[i+4 : max(i+4, min(end, len(b)))]; marker == 0xe1 && found.exif == nil && has(body, 0, "Exif\x00\x00") {
			found.exif = body[6:]
		}
		i = max(i+4, end)
	}
}

// walkPNG goes from chunk to chunk up to the end of the picture. What follows it, such as an archive, is not looked at.
// Compressed texts and profiles are passed over by the decoder too, so they never grow.
func walkPNG(b []byte) (parts, error) {
	found := parts{frames: 1, progressive: len(b) > 28 && b[28] == 1} // the last byte of the header
	for i := 8; i+12 <= len(b); {
		size := int64(binary.BigEndian.Uint32(b[i:]))
		end := int64(i) + 12 + size
		if end > int64(len(b)) || has(b, i+4, "IEND") {
			break
		}
		switch body := b[i+8 : end-4]; {
		case has(b, i+4, "eXIf") && found.exif == nil:
			found.exif = body
		case has(b, i+4, "acTL") && size >= 4: // an animation, whose first frame every decoder shows
			found.frames = int(binary.BigEndian.Uint32(body))
		}
		i = int(end)
	}
	return found, tooMany(found.frames)
}

// walkGIF goes over the blocks and counts frames. Only the first one is ever decoded.
func walkGIF(b []byte) (parts, error) {
	found := parts{}
	if len(b) < 13 {
		return found, nil
	}
	i := 13 + colours(b[10])
	for i < len(b) {
		switch b[i] {
		case 0x21: // an extension
			i += 2
		case 0x2c: // a frame
			if i+10 > len(b) {
				return found, nil
			}
			if found.frames++; found.frames > mostFrames {
				return found, tooMany(found.frames)
			}
			i += 11 + colours(b[i+9])
		default: // the end, or damage that the decoder finds
			return found, nil
		}
		for i < len(b) && b[i] != 0 {
			i += 1 + int(b[i])
		}
		i++
	}
	return found, nil
}

// colours is the size of a GIF's table of colours in bytes.
func colours(fields byte) int {
	if fields&0x80 == 0 {
		return 0
	}
	return 3 << (1 + fields&7)
}

// walkWebP goes over the chunks. A file that states more bytes than it has is refused here, because its decoder would
// take memory for what is stated.
func walkWebP(b []byte) (parts, error) {
	found := parts{frames: 1}
	stated := int64(binary.LittleEndian.Uint32(b[4:])) + 8
	if stated > int64(len(b)) {
		return found, refuse(Truncated, "this WebP states %d bytes and has %d", stated, len(b))
	}
	for i := int64(12); i+8 <= stated; {
		size := int64(binary.LittleEndian.Uint32(b[i+4:]))
		if i+8+size > stated {
			break
		}
		switch name := string(b[i : i+4]); {
		case name == "ANIM":
			return found, refuse(Frames, "this is an animated WebP; no frame of it is read")
		case name == "EXIF" && found.exif == nil:
			found.exif = bytes.TrimPrefix(b[i+8:i+8+size], []byte("Exif\x00\x00"))
		}
		i += 8 + size + size&1
	}
	return found, nil
}

// tooMany refuses an animation that is a film.
func tooMany(frames int) error {
	if frames > mostFrames {
		return refuse(Frames, "more than %d frames", mostFrames)
	}
	return nil
}
