// What all charts have in common, and those along a path of lambda1.

const kDark = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;

function isDark() { return kDark.matches && !printing; }

// Okabe and Ito's palette, the order as it reads on the ground.
function palette() {
  return isDark()
    ? ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#f0e442', '#d55e00', '#7fa7ff', '#e8e9eb']
    : ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8a7f00'];
}
function ink() { return isDark() ? '#e8e9eb' : '#1c1e21'; }
function softInk() { return isDark() ? '#a9afb7' : '#585d64'; }
function grid() { return isDark() ? '#30353b' : '#e4e6e9'; }
const kDashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const kMarks = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'crossRot'];

function number(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}

function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? letters.slice(0, most - 1).join('') + '\u2026' : text;
}

const charts = new Map();  // by canvas

function draw(canvas, config) {
  const old = charts.get(canvas);
  if (old) old.destroy();
  config.options = Object.assign({animation: false, responsive: true, maintainAspectRatio: false}, config.options);
  charts.set(canvas, new Chart(canvas, config));
  return charts.get(canvas);
}

function axis(title, more) {
  return Object.assign({
    title: {display: true, text: title, color: ink()},
    ticks: {color: softInk(), maxRotation: 0, autoSkipPadding: 14, maxTicksLimit: 8},
    grid: {color: grid(), borderColor: softInk()},
  }, more);
}

// About `count` round numbers between two bounds.
function roundTicks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough) * power;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push({value: Number((k * step).toPrecision(12))});
  return ticks;
}

// Ticks of a logarithmic axis: powers of ten, and 2 and 5 between them where there are few.
function lambdaAxis(type, values) {
  const positive = values.filter((value) => value > 0 || type === 'linear');
  const low = Math.min(...positive);
  const high = Math.max(...positive);
  const more = {type, reverse: true, min: low, max: high};
  if (type === 'logarithmic') {
    const decades = Math.log10(high / low);
    const steps = decades > 2.5 ? [1] : decades > 1.2 ? [1, 3] : [1, 1.5, 2, 3, 5, 7];
    more.afterBuildTicks = (scale) => {
      const ticks = [];
      for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
        for (const step of steps) {
          const value = step * 10 ** power;
          if (value >= low * 0.9999 && value <= high * 1.0001) ticks.push({value});
        }
      scale.ticks = ticks.length > 1 ? ticks : [{value: low}, {value: high}];
    };
  }
  const result = axis('lambda1 (falling)', more);
  result.ticks.callback = (value) => number(value);
  return result;
}

// The number of features along the top, at a few of the points.
function featuresAxis(bottom, lambda1, nonzeros) {
  const log = bottom.type === 'logarithmic';
  const place = (value) => (log ? Math.log(value) : value);
  const result = axis('features', {type: bottom.type, reverse: true, min: bottom.min, max: bottom.max, position: 'top'});
  result.grid = {drawOnChartArea: false, borderColor: softInk()};
  result.afterBuildTicks = (scale) => {
    const most = Math.max(2, Math.floor((scale.chart.width || 600) / 70));
    const span = place(bottom.max) - place(bottom.min);
    const ticks = [];
    let last = Infinity;
    lambda1.forEach((value, k) => {
      if (value < bottom.min || value > bottom.max) return;
      if (Math.abs(place(value) - last) >= span / most || last === Infinity) {
        ticks.push({value, label: String(nonzeros[k])});
        last = place(value);
      }
    });
    scale.ticks = ticks;
  };
  result.ticks = {color: softInk(), autoSkip: false, maxRotation: 0,
                  callback: (value) => String(nonzeros[lambda1.indexOf(value)])};
  return result;
}

// Lines across the chart at some values of lambda1, each label on a line of its own so that none meet.
function markLines(marks) {
  return {id: 'marks', afterDatasetsDraw(chart) {
    const {ctx, chartArea, scales} = chart;
    marks.forEach((mark, k) => {
      const x = scales.x.getPixelForValue(mark.value);
      if (!(x >= chartArea.left - 1 && x <= chartArea.right + 1)) return;
      ctx.save();
      ctx.strokeStyle = mark.color;
      ctx.fillStyle = mark.color;
      ctx.lineWidth = 1.5;
      ctx.setLineDash([5, 4]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.font = '600 12px system-ui, sans-serif';
      const width = ctx.measureText(mark.label).width;
      const right = x + 6 + width <= chartArea.right;
      const left = right ? x + 5 : x - 5 - width;
      const y = mark.bottom ? chartArea.bottom - 8 - 16 * k : chartArea.top + 14 + 16 * k;
      ctx.globalAlpha = 0.8;
      ctx.fillStyle = isDark() ? '#15171a' : '#ffffff';
      ctx.fillRect(left - 2, y - 11, width + 4, 15);
      ctx.globalAlpha = 1;
      ctx.fillStyle = mark.color;
      ctx.fillText(mark.label, left, y);
      ctx.restore();
    });
  }};
}

function chosenMarks(best, oneSe, bottom) {
  const colors = palette();
  const has = (value) => value !== null && value !== undefined;
  if (has(best) && best === oneSe) return [{value: best, label: 'best and one SE', color: colors[1], bottom}];
  const marks = [];
  if (has(oneSe)) marks.push({value: oneSe, label: 'one SE', color: colors[2], bottom});
  if (has(best)) marks.push({value: best, label: 'best', color: colors[1], bottom});
  return marks;
}

function errorBars(errors) {
  return {id: 'errorBars', beforeDatasetsDraw(chart) {
    const {ctx, scales} = chart;
    ctx.save();
    ctx.strokeStyle = isDark() ? '#3f6f8f' : '#9cc6e0';
    ctx.lineWidth = 1;
    chart.data.datasets[0].data.forEach((point, k) => {
      const x = scales.x.getPixelForValue(point.x);
      const high = scales.y.getPixelForValue(point.y + errors[k]);
      const low = scales.y.getPixelForValue(point.y - errors[k]);
      ctx.beginPath();
      ctx.moveTo(x, high); ctx.lineTo(x, low);
      ctx.moveTo(x - 2.5, high); ctx.lineTo(x + 2.5, high);
      ctx.moveTo(x - 2.5, low); ctx.lineTo(x + 2.5, low);
      ctx.stroke();
    });
    ctx.restore();
  }};
}

function pathName(data, k) {
  const path = data.paths[k];
  const several = new Set(data.paths.map((one) => one.delta)).size > 1;
  return number(path.lambda2) + (several ? ', delta ' + number(path.delta) : '');
}

function drawCurve(figure, data) {
  const select = figure.querySelector('[data-control=path]');
  if (select && !select.options.length) {
    data.paths.forEach((path, k) => select.add(new Option(pathName(data, k), k, false, k === data.best.path)));
    select.addEventListener('change', () => drawCurve(figure, data));
  }
  const which = select ? Number(select.value) : 0;
  const path = data.paths[which];
  const points = [];
  path.mean.forEach((mean, k) => {
    if (mean !== null) points.push({x: path.lambda1[k], y: mean, error: path.error[k], features: path.nonzeros[k]});
  });
  const log = path.lambda1.every((value) => value > 0);
  const bottom = lambdaAxis(log ? 'logarithmic' : 'linear', path.lambda1);
  const at = (choice) => (choice.path === which ? path.lambda1[choice.point] : null);
  const low = Math.min(...points.map((point) => point.y - point.error));
  const high = Math.max(...points.map((point) => point.y + point.error));
  const room = 0.06 * (high - low || 1);
  const side = axis(data.score + ' (cross-validated)', {min: Math.max(0, low - room), max: Math.min(high + room, data.largest || Infinity)});
  side.afterBuildTicks = (scale) => { scale.ticks = roundTicks(scale.min, scale.max, 6); };
  side.ticks.callback = (value) => number(value);
  draw(figure.querySelector('canvas'), {
    type: 'line',
    data: {datasets: [{data: points, borderColor: palette()[0], backgroundColor: palette()[0], borderWidth: 1.5,
                       pointRadius: points.length > 60 ? 1.5 : 2.5}]},
    options: {
      interaction: {mode: 'nearest', axis: 'x', intersect: false},
      scales: {x: bottom, top: featuresAxis(bottom, path.lambda1, path.nonzeros),
               y: side},
      plugins: {legend: {display: false}, tooltip: {displayColors: false, callbacks: {
        title: (items) => 'lambda1 = ' + number(items[0].raw.x),
        label: (item) => [data.score + ' ' + number(item.raw.y) + ' \u00b1 ' + number(item.raw.error),
                          item.raw.features + ' features']}}},
    },
    plugins: [errorBars(points.map((point) => point.error)),
              markLines(chosenMarks(at(data.best), at(data.one_se), data.larger_is_better))],
  });
}
