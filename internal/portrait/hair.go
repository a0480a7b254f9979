package portrait

// drawHairBehind draws the hair that falls behind the shoulders or stands above the head.
func (p *person) drawHairBehind(c *canvas) {
	switch p.style {
	case long:
		wide, end := p.rx+p.hairVolume, p.y+p.ry+34
		c.shape(p.hair, []curve{
			line(point{middle - wide, p.y - 10}),
			{point{middle - wide, p.y - p.ry*1.1}, point{middle - wide*0.6, p.y - p.ry - p.hairVolume}, point{middle, p.y - p.ry - p.hairVolume}},
			{point{middle + wide*0.6, p.y - p.ry - p.hairVolume}, point{middle + wide, p.y - p.ry*1.1}, point{middle + wide, p.y - 10}},
			{point{middle + wide + 6, p.y + 60}, point{middle + wide + 10, end - 30}, point{middle + wide - 4, end}},
			line(point{middle - wide + 4, end}),
			{point{middle - wide - 10, end - 30}, point{middle - wide - 6, p.y + 60}, point{middle - wide, p.y - 10}},
		})
	case bun:
		c.ellipse(p.hair, middle, p.y-p.ry-8, 22+p.hairVolume/2, 20+p.hairVolume/2)
	case curls:
		p.drawCurls(c, p.rx+4, 21)
	}
}

// drawHair draws the hair over the forehead.
func (p *person) drawHair(c *canvas) {
	edge := p.y - p.ry*p.fringe // where it ends above the face
	switch p.style {
	case bald:
	case parted:
		p.drawCap(c, edge, 0.55)
	case curls:
		p.drawCap(c, edge-8, 0)
		p.drawCurls(c, p.rx-14, 16)
	default:
		p.drawCap(c, edge, 0)
	}
}

// drawCap covers the head down to a height, with a parting that lies aside.
func (p *person) drawCap(c *canvas, edge, parting float32) {
	more := p.hairVolume * 0.6
	rx, ry := p.rx+more*0.3, p.ry+more
	temple := p.y - 0.18*p.ry
	at := middle + parting*p.rx
	c.shape(p.hair, []curve{
		line(point{middle - rx, temple + 10}),
		{point{middle - rx, p.y - 0.76*ry}, point{middle - 0.6*rx, p.y - ry}, point{middle, p.y - ry}},
		{point{middle + 0.6*rx, p.y - ry}, point{middle + rx, p.y - 0.76*ry}, point{middle + rx, temple + 10}},
		{point{middle + 0.92*rx, temple - 14}, point{at + 0.5*(middle+rx-at), edge}, point{at, edge}},
		{point{at - 0.5*(at-middle+rx), edge}, point{middle - 0.92*rx, temple - 14}, point{middle - rx, temple + 10}},
	})
}

// drawCurls draws tufts along the upper half of the head.
func (p *person) drawCurls(c *canvas, rx, size float32) {
	for _, at := range []point{{-1, 0.1}, {-0.97, -0.28}, {-0.84, -0.6}, {-0.58, -0.86}, {-0.2, -1}, {0.2, -1}, {0.58, -0.86}, {0.84, -0.6}, {0.97, -0.28}, {1, 0.1}} {
		y := p.y + at.y*(p.ry-4)
		if rx < p.rx { // those in front stay above the eyes
			y = min(y, p.y-0.55*p.ry)
		}
		c.ellipse(p.hair, middle+at.x*rx, y, size, size)
	}
}

// drawGlasses draws two rings and what joins them.
func (p *person) drawGlasses(c *canvas) {
	y, wide, high := p.y-4, p.eyes*0.78, p.eyeSize*2
	for _, side := range []float32{-1, 1} {
		x := middle + side*p.eyes
		c.shape(dark, oval(x, y, wide, high), oval(x, y, -(wide-3), high-3))
		c.shape(dark, []curve{
			line(point{x + side*wide, y - 3}), line(point{middle + side*p.rx, y - 5}), line(point{middle + side*p.rx, y - 2}), line(point{x + side*wide, y}),
		})
	}
	c.shape(dark, []curve{
		line(point{middle - p.eyes + wide - 1, y - 2}), line(point{middle + p.eyes - wide + 1, y - 2}), line(point{middle + p.eyes - wide + 1, y + 1}), line(point{middle - p.eyes + wide - 1, y + 1}),
	})
}
